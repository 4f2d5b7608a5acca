// Source: an excerpt around a line, with a little colour; and of each lane the line where its thread stands.

const WORDS = new Set(("alignas alignof auto bool break case catch char class co_await co_return co_yield concept const " +
  "consteval constexpr constinit continue decltype default delete do double else enum explicit extern false final float " +
  "for friend if inline int long mutable namespace new noexcept nullptr operator override private protected public " +
  "requires return short signed sizeof static struct switch template this throw true try typedef typename union unsigned " +
  "using virtual void volatile while uint8_t uint16_t uint32_t uint64_t int32_t int64_t size_t").split(" "));
const TOKEN = /(\/\/.*$|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)+')|(^\s*#\s*\w+)|\b(\d[\w.']*)\b|([A-Za-z_]\w*)/g;

function coloured(line) {
  const parts = [];
  let from = 0;
  for (const token of line.matchAll(TOKEN)) {
    const kind = token[1] ? "comment" : token[2] ? "string" : token[3] ? "directive" : token[4] ? "literal"
      : WORDS.has(token[5]) ? "keyword" : null;
    if (kind === null) continue;
    parts.push(line.slice(from, token.index), el("i", { class: kind }, token[0]));
    from = token.index + token[0].length;
  }
  parts.push(line.slice(from));
  return parts;
}

// Without the blanks that all lines begin with.
function unindented(lines) {
  const indents = lines.filter(([, text]) => text.trim() !== "").map(([, text]) => /^\s*/.exec(text)[0].length);
  const least = indents.length > 0 ? Math.min(...indents) : 0;
  return lines.map(([number, text]) => [number, text.slice(least)]);
}

function excerpt(model, where, around) {
  const lines = unindented(model.lines(where, around, around));
  if (lines.length === 0) return el("p", { class: "no-source" }, "The source was not there when the failure was found.");
  return el("pre", { class: "source" }, lines.map(([number, text]) =>
    el("code", { class: number === where.line ? "at" : "" }, el("span", { class: "line" }, String(number)), ...coloured(text), "\n")));
}

// A place with its lines; the system's frames are not shown.
function framesList(model, stack) {
  const frames = model.frames(stack), shown = frames.filter((frame) => !frame.system);
  const list = shown.length > 0 ? shown : frames;
  if (list.length === 0) return null;
  return el("ol", { class: "frames" }, list.slice(0, 12).map((frame) =>
    el("li", {}, el("code", {}, frame.name || "?"), el("span", { class: "where" }, frame.words))));
}

const STATES = { fails: "fails", running: "runs", ready: "ready", waiting: "waits", "not begun": "not begun", ended: "ended", next: "next" };
const MOST = 8;  // lanes with source

class Sources {
  constructor(app) {
    this.app = app;
    this.body = el("div", { class: "source-lanes" });
    this.element = el("section", { class: "card", id: "sources" }, el("h2", {}, "Where the threads stand"), this.body);
  }

  // The thread that runs, and those that go next to it in time.
  chosen() {
    const { app } = this, { run } = app;
    const shown = app.model.order.filter((thread) => !app.hidden.has(thread));
    if (shown.length <= MOST) return shown;
    const distance = (thread) => {
      const [last, next] = [run.lastOf(thread, app.step), run.nextOf(thread, app.step)];
      return Math.min(last === null ? Infinity : app.step - last, next === null ? Infinity : next - app.step);
    };
    const nearest = new Set([...shown].sort((a, b) => distance(a) - distance(b)).slice(0, MOST));
    return shown.filter((thread) => nearest.has(thread));
  }

  step() {
    const { app } = this, threads = app.run.count > 0 ? this.chosen() : [];
    const more = app.model.threads.length - app.hidden.size - threads.length;
    this.body.replaceChildren(...threads.map((thread) => this.lane(thread)),
      more > 0 ? el("p", { class: "more" }, `… and ${counted(more, "more thread")}`) : "");
  }
  filter() { this.step(); }

  lane(thread) {
    const { app } = this, { model, run } = app;
    const stands = standing(model, run, thread, app.step), isCurrent = stands.state === "running";
    // Where it fails may lie behind its last step.
    if (app.step === run.count - 1 && thread === model.failure.thread && model.placeOf(model.failure.stack)) {
      Object.assign(stands, { state: "fails", stack: model.failure.stack });
    }
    const where = model.placeOf(stands.stack);
    const words = stands.pending ?? (isCurrent ? model.text(run.words[app.step]) : stands.words ? model.text(stands.words) : "");
    const head = el("button", {
      type: "button", class: "lane-title", title: stands.step === null ? "" : `to step ${run.number(stands.step)}`,
      onclick: () => app.select(stands.step),
    }, el("b", { class: "name" }, model.threads[thread].given || model.threadName(thread)),
      el("span", { class: `state ${stands.state.replace(" ", "-")}` }, STATES[stands.state]),
      el("span", { class: "doing" }, words), where ? el("span", { class: "where" }, where.words) : "");
    return el("div", { class: `source-lane ${threadClass(thread, model)}${isCurrent ? " current" : ""}`, "data-thread": model.threads[thread].path },
      head, where ? excerpt(model, where, isCurrent ? 4 : 1) : "");
  }
}
