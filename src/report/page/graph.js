// The wait-for graph: threads, and for each that waits an arrow to who has what it waits for.

const GRAPH_WIDTH = 440, NODE = 30;
const MOST_NODES = 14;

// Each waiting thread with whom it waits for, -1: nobody in particular, and for what.
function waitEdges(model, waiters) {
  const byName = new Map(model.threads.map(({ name }, i) => [name, i]));
  return waiters.map((end) => {
    const object = model.text(end.object);
    if (end.joins) return { from: end.thread, to: byName.get(object) ?? end.holder, label: "its end" };
    return { from: end.thread, to: end.holder, label: object || end.pending };
  });
}

// The threads of the first cycle, in its order; empty: there is none.
function cycleOf(edges) {
  const next = new Map(edges.map(({ from, to }) => [from, to]));
  for (const start of next.keys()) {
    const path = [];
    let at = start;
    while (at !== undefined && at >= 0 && !path.includes(at)) {
      path.push(at);
      at = next.get(at);
    }
    if (path.includes(at)) return path.slice(path.indexOf(at));
  }
  return [];
}

// Who is in the cycle stands on a circle; the others in a row to its left, or if there is none on the circle, too.
function positions(nodes, cycle, height) {
  const found = new Map(), others = nodes.filter((node) => !cycle.includes(node.id));
  const ring = cycle.length > 0 ? nodes.filter((node) => cycle.includes(node.id)) : others;
  if (cycle.length > 0) ring.sort((a, b) => cycle.indexOf(a.id) - cycle.indexOf(b.id));
  const aside = cycle.length > 0 ? others : [];
  const left = aside.length > 0 ? 110 : 0, centre = left + (GRAPH_WIDTH - left) / 2, middle = height / 2;
  const [rx, ry] = [Math.min(150, (GRAPH_WIDTH - left) / 2 - 48), middle - 26];
  ring.forEach((node, i) => {
    const turn = ring.length === 1 ? -90 : ring.length === 2 ? 180 : -90, angle = ((360 / ring.length) * i + turn) * Math.PI / 180;
    found.set(node.id, { x: centre + rx * Math.cos(angle), y: middle + (ring.length === 2 ? 0 : ry * Math.sin(angle)) });
  });
  aside.forEach((node, i) => found.set(node.id, { x: 44, y: height * (i + 1) / (aside.length + 1) }));
  return found;
}

function shortened(text, most) { return text.length > most ? `${text.slice(0, most - 1)}…` : text; }

function edgePath(a, b, bend) {
  const [dx, dy] = [b.x - a.x, b.y - a.y], length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  // Nodes are wide and low: the edge ends where it meets them.
  const gap = (Math.abs(ux) * 18 > Math.abs(uy) * 36 ? 36 / Math.abs(ux) : 18 / Math.abs(uy)) + 3;
  const [x1, y1, x2, y2] = [a.x + ux * gap, a.y + uy * gap, b.x - ux * gap, b.y - uy * gap];
  const [mx, my] = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
  return { d: `M${x1} ${y1}Q${mx} ${my} ${x2} ${y2}`, x: (x1 + x2) / 4 + mx / 2, y: (y1 + y2) / 4 + my / 2 };
}

function waitGraph(model, waiters) {
  const edges = waitEdges(model, waiters);
  if (edges.length === 0) return null;
  const nodes = new Map();
  for (const edge of edges) {
    nodes.set(edge.from, { id: edge.from });
    // Nobody holds it: what is waited for stands there itself.
    if (edge.to < 0) Object.assign(edge, { to: `for ${edge.label}`, what: edge.label, label: "" });
    nodes.set(edge.to, { id: edge.to, what: edge.what });
  }
  if (nodes.size > MOST_NODES) return null;
  const cycle = cycleOf(edges), at = positions([...nodes.values()], cycle, nodes.size <= 2 ? 110 : nodes.size <= 5 ? 190 : 280);
  const heights = [...at.values()].map(({ y }) => y), bent = cycle.length === 2 ? NODE : 0;
  const top = Math.min(...heights) - NODE / 2 - 4 - bent, height = Math.max(...heights) + NODE / 2 + 4 + bent - top;
  const lines = edges.map(({ from, to, label }) => {
    const inCycle = cycle.includes(from) && cycle.includes(to);
    const { d, x, y } = edgePath(at.get(from), at.get(to), inCycle && cycle.length <= 2 ? 34 : inCycle ? -14 : 0);
    const text = shortened(label, 18), width = text.length * 6.7 + 10;
    return svg("g", { class: inCycle ? "edge in-cycle" : "edge" }, svg("path", { d, "marker-end": `url(#head-${inCycle ? "cycle" : "waits"})` }),
      text === "" ? "" : svg("rect", { x: x - width / 2, y: y - 9, width, height: 18, rx: 4 }),
      text === "" ? "" : svg("text", { x, y: y + 4 }, text, svg("title", {}, label)));
  });
  const boxes = [...nodes.values()].map(({ id, what }) => {
    const { x, y } = at.get(id), text = what === undefined ? model.threadName(id) : shortened(what, 16);
    const width = Math.max(56, text.length * 7.4 + 18);
    return svg("g", { class: what === undefined ? `node ${threadClass(id, model)}` : "node object" },
      svg("rect", { x: x - width / 2, y: y - NODE / 2, width, height: NODE, rx: what === undefined ? 15 : 5 }),
      svg("text", { x, y: y + 5 }, text, svg("title", {}, what ?? text)));
  });
  return svg("svg", { class: "wait-graph", viewBox: `0 ${top} ${GRAPH_WIDTH} ${height}`, role: "img", "aria-label": "Who waits for whom" },
    svg("defs", {}, arrowHead("head-waits"), arrowHead("head-cycle")), lines, boxes);
}
