// What is drawn behind the rows: the lives of threads, switches between them, and the arrows of happens-before.

const MIDDLE = ROW / 2;

function drawLines(lanes) {
  const { app, from, to } = lanes, { run, rows, model } = app;
  const height = (to - from) * ROW;
  lanes.paper.setAttribute("width", lanes.width);
  lanes.paper.setAttribute("height", height);
  const drawn = [];
  lanes.threads.forEach((thread) => drawn.push(...lifeLines(lanes, thread)));
  let before = -1;  // the row of the last step
  for (let row = Math.max(0, from - 2); row < Math.min(rows.count, to + 1); ++row) {
    if (rows.kinds[row] !== STEP) continue;
    if (before >= 0) drawn.push(switchLine(lanes, before, row));
    before = row;
  }
  drawn.push(...arrows(lanes));
  for (let row = from; row < to; ++row) {
    if (rows.kinds[row] === STEP) drawn.push(mark(lanes, rows.steps[row], y(lanes, row)));
  }
  lanes.paper.replaceChildren(svg("defs", {}, arrowHead("head-cause"), arrowHead("head-effect")), ...drawn.filter((one) => one !== null));
  lanes.paper.classList.toggle("has-critical", Boolean(model.critical && run === model.run));
}

function y(lanes, row) { return (row - lanes.from) * ROW + MIDDLE; }

// From a thread's first step to its last; to the end, if it never ended.
function lifeLines(lanes, thread) {
  const { app, from, to } = lanes, { run, rows, model } = app, steps = run.stepsOf[thread];
  if (steps.length === 0) return [];
  const first = run.number(0) > 0 && steps[0] > 0 ? rows.near(0) : rows.near(steps[0]);
  const end = model.endOf.get(thread);
  const isAlive = end !== undefined && end.state !== "ended";
  const last = isAlive ? rows.count - 1 : rows.near(steps[steps.length - 1]);
  if (first >= to || last < from) return [];
  const x = lanes.x(thread);
  return [svg("line", {
    class: `life ${threadClass(thread, model)}`, x1: x, x2: x,
    y1: Math.max(y(lanes, first), -ROW), y2: Math.min(y(lanes, last), (to - from + 1) * ROW),
  })];
}

// Between the last step of one turn and the first of the next, or along a thread's own lane.
function switchLine(lanes, before, row) {
  const { app } = lanes, { run, rows, model } = app;
  const a = rows.steps[before], b = rows.steps[row];
  const [one, other] = [run.thread[a], run.thread[b]];
  if (one === other) {
    return svg("line", { class: `turn ${threadClass(one, model)}`, x1: lanes.x(one), x2: lanes.x(one),
      y1: y(lanes, before), y2: y(lanes, row) });
  }
  if (b !== a + 1) return null;
  const [x1, x2, y1, y2] = [lanes.x(one), lanes.x(other), y(lanes, before), y(lanes, row)];
  // Below the words of a preemption.
  const preempts = (run.flags[b] & PREEMPTION) !== 0, middle = y2 - MIDDLE, r = 6 * Math.sign(x2 - x1);
  const path = `M${x1} ${y1}V${middle - 6}q0 6 ${r} 6H${x2 - r}q${r} 0 ${r} 6V${y2}`;
  return svg("path", { class: preempts ? "switch preempts" : "switch", d: path });
}

// The step itself, by the kind of its operation.
function mark(lanes, step, at) {
  const { app } = lanes, { run, model } = app, thread = run.thread[step], x = lanes.x(thread);
  const kind = `mark ${run.shape(step)} ${threadClass(thread, model)}${step === app.step ? " current" : ""}`;
  const r = lanes.layout.lane < 12 ? 3 : 5;
  switch (run.shape(step)) {
    case "lock":
    case "unlock":
      return svg("rect", { class: kind, x: x - r, y: at - r, width: 2 * r, height: 2 * r, rx: 1.5 });
    case "thread":
      return svg("path", { class: kind, d: `M${x} ${at - r - 1}l${r + 1} ${r + 1}l${-r - 1} ${r + 1}l${-r - 1} ${-r - 1}z` });
    default:
      return svg("circle", { class: kind, cx: x, cy: at, r: run.shape(step) === "other" ? r - 2 : r });
  }
}

function arrowHead(id) {
  return svg("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" },
    svg("path", { d: "M0 0.5L7.5 4L0 7.5z", class: id }));
}

// What comes immediately before the current step, and immediately after it, in other threads.
function arrows(lanes) {
  const { app, from, to } = lanes, { run } = app, drawn = [];
  const add = (a, b, kind) => {
    const [row, other] = [app.rows.rowOf[a], app.rows.rowOf[b]];
    if (row < 0 || other < 0 || Math.max(row, other) < from - 50 || Math.min(row, other) > to + 50) return;
    const [x1, x2, y1, y2] = [lanes.x(run.thread[a]), lanes.x(run.thread[b]), y(lanes, row), y(lanes, other)];
    // Down from one and down to the other: beside a mark stand words.
    const bend = Math.min(90, (y2 - y1) * 0.55);
    const path = `M${x1} ${y1 + 6}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 8}`;
    drawn.push(svg("path", { class: "halo", d: path }), svg("path", {
      class: `arrow ${kind}`, d: path, "marker-end": `url(#head-${kind})`, "data-from": run.number(a), "data-to": run.number(b) }));
  };
  for (const cause of run.causes(app.step)) add(cause, app.step, "cause");
  for (const effect of run.effects(app.step).slice(0, 40)) add(app.step, effect, "effect");
  return drawn;
}
