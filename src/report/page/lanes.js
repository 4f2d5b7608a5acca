// The timeline: a lane for each thread, a row for each step. Only the rows that can be seen are in the document.

const ROW = 28;        // height of a row in pixels: as --row in the style
const NUMBERS = 64;    // width of the column of numbers; in a narrow window FEW
const FEW = 54;
const PLACES = 172;    // width of the column of places
const READABLE = 110;  // a lane that is narrower has no words in it
const TAIL = 40;       // by which the last lane is wider
const OVERSCAN = 8;    // rows beyond what can be seen

// Where lanes stand. `wide`: words are in the lanes; else behind them.
function laneLayout(width, count) {
  const places = width > 700 ? PLACES : 0, numbers = width > 600 ? NUMBERS : FEW;
  const room = width - numbers - places;
  const lanes = Math.max(1, count);
  if (room / lanes >= READABLE) {
    const lane = Math.floor(Math.min((room - TAIL) / lanes, 420));  // words of the last one end at the places
    return { wide: true, lane, numbers, places, words: 0, line: 14 };
  }
  const lane = Math.max(7, Math.min(width > 600 ? 20 : 15, Math.floor((width * 0.42) / lanes)));
  const words = numbers + lane * lanes + 10;
  return { wide: false, lane, numbers, places: width - words > 480 ? places : 0, words, line: lane / 2 };
}

class Lanes {
  constructor(app) {
    this.app = app;
    this.head = el("div", { class: "lane-head" });
    this.paper = svg("svg", { class: "lane-lines", "aria-hidden": "true" });
    this.list = el("div", { class: "lane-rows" });
    this.window = el("div", { class: "lane-window" }, this.paper, this.list);
    this.space = el("div", { class: "lane-space" }, this.window);
    this.scroller = el("div", {
      class: "lane-scroller", tabindex: "0", role: "listbox", "aria-label": "Steps of the execution",
      onscroll: framed(() => this.draw()), onclick: (event) => this.click(event),
    }, this.space);
    this.element = el("div", { class: "lanes" }, this.head, this.scroller);
    new ResizeObserver(framed(() => this.layOut())).observe(this.scroller);
  }

  get visible() { return this.app.model.order.filter((thread) => !this.app.hidden.has(thread)); }

  layOut() {
    this.threads = this.visible;
    this.column = new Map(this.threads.map((thread, i) => [thread, i]));
    this.width = this.scroller.clientWidth;  // asked once: each time the browser would lay out the page
    this.layout = laneLayout(this.width, this.threads.length);
    this.drawHead();
    this.space.style.height = `${this.app.rows.count * ROW + 8}px`;
    this.element.classList.toggle("fits", this.space.offsetHeight <= this.scroller.clientHeight);
    this.draw();
  }

  drawHead() {
    this.head.style.width = `${this.width}px`;
    const { wide, lane, numbers, words } = this.layout, model = this.app.model;
    const names = wide ? this.threads.map((thread, i) => {
      const { name, given, entry } = model.threads[thread];
      const head = el("div", { class: `lane-name ${threadClass(thread, model)}`, title: entry || name },
        el("span", {}, el("b", {}, given || name), given ? el("small", {}, ` ${name}`) : ""), entry ? el("small", {}, entry) : "");
      head.style.left = `${numbers + i * lane}px`;
      head.style.width = `${lane}px`;
      return head;
    }) : [place(el("div", { class: "lane-count" }, counted(this.threads.length, "thread")), words)];
    const where = this.layout.places ? el("div", { class: "lane-where" }, "where") : "";
    this.head.replaceChildren(el("div", { class: "lane-number" }, "step"), ...names, where);
  }

  x(thread) {
    return this.layout.numbers + this.column.get(thread) * this.layout.lane + this.layout.line;
  }

  draw() {
    if (!this.layout) return;
    const { rows } = this.app;
    const top = this.scroller.scrollTop, height = this.scroller.clientHeight;
    this.from = Math.max(0, Math.floor(top / ROW) - OVERSCAN);
    this.to = Math.min(rows.count, Math.ceil((top + height) / ROW) + OVERSCAN);
    this.window.style.top = `${this.from * ROW}px`;
    const drawn = [];
    for (let row = this.from; row < this.to; ++row) drawn.push(this.row(row));
    this.list.replaceChildren(...drawn);
    drawLines(this);
    for (const view of this.app.views) if (view.scrolled) view.scrolled(this);
  }

  row(row) {
    const { rows, model, run } = this.app, step = rows.steps[row];
    switch (rows.kinds[row]) {
      case FOLD:
        return el("div", { class: "row fold", "data-fold": step },
          el("span", { class: "number" }, "⋯"),
          place(el("span", { class: "words" }, `${counted(rows.folded(row), "step")} not shown`), this.wordsAt()));
      case SWITCH:
        return el("div", { class: "row preemption", "data-step": step }, el("span", { class: "number" }, "⚡"),
          place(el("span", { class: "words" }, preemptionWords(model, run, step)), this.wordsAt()));
      case END:
        return el("div", { class: "row end", "data-step": step }, el("span", { class: "number" }, "✕"),
          place(el("span", { class: "words" }, endWords(model)), this.wordsAt()));
      default:
        return this.stepRow(step);
    }
  }

  wordsAt() { return this.layout.wide ? this.layout.numbers + this.layout.line + 12 : this.layout.words; }

  stepRow(step) {
    const { app } = this, { model, run } = app, thread = run.thread[step];
    const isCritical = model.critical && run.index(model.critical.step) === step;
    const where = model.placeOf(run.stack[step]);
    const words = el("span", { class: `words ${threadClass(thread, model)}` });
    if (!this.layout.wide) words.append(el("b", { class: "who" }, model.threadName(thread)));
    words.append(...marked(model.text(run.words[step]), app.query));
    const ghost = this.layout.wide ? this.ghost(step) : null;
    const row = el("div", {
      class: "row step", "data-step": step, role: "option", id: `step-${run.number(step)}`,
      "aria-selected": step === app.step ? "true" : "false",
    }, el("span", { class: isCritical ? "number critical" : "number", title: isCritical ? "the critical step" : "" },
      grouped(run.number(step))), words, ghost);
    if (step === app.step) row.classList.add("current");
    if (app.isMatch && app.isMatch(step)) row.classList.add("match");
    if (isDoomed(model, run, step)) row.classList.add("doomed");
    if (isInCycle(model, run, step)) row.classList.add("cycle");
    const at = this.layout.wide ? this.x(thread) + 14 : this.layout.words;
    place(words, at);
    // Words may go on over lanes that have none in this row.
    const end = this.width - this.layout.places;
    const right = ghost !== null && parseFloat(ghost.style.left) > at ? parseFloat(ghost.style.left) - 14 : end;
    words.style.maxWidth = `${Math.max(40, right - at - 4)}px`;
    words.title = model.text(run.words[step]);
    if (this.layout.places && where) {
      row.append(el("span", { class: "where", title: where.words }, ...marked(where.words, app.query)));
    }
    return row;
  }

  // In the lane of a thread that has just been left: why it does not go on.
  ghost(step) {
    const { model, run } = this.app;
    const before = step > 0 ? run.thread[step - 1] : -1;
    if (before < 0 || before === run.thread[step] || !this.column.has(before)) return null;
    if (run.flags[step] & PREEMPTION) return null;
    const stands = standing(model, run, before, step);
    const words = stands.state === "ended" || stands.state === "not begun" ? "" : waitingWords(model, run, stands);
    if (words === "") return null;
    const ghost = place(el("span", { class: "ghost", title: words }, words), this.x(before) + 14);
    const [from, to] = [this.x(before), this.x(run.thread[step])];
    const right = to > from ? to - 10 : this.width - this.layout.places;
    ghost.style.maxWidth = `${Math.max(40, right - from - 18)}px`;
    return ghost;
  }

  click(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    if (row.dataset.fold !== undefined) this.app.clearFilters();
    else this.app.select(Number(row.dataset.step), { near: true });
  }

  // Scrolls so that the current step can be seen.
  reveal(how) {
    const row = this.app.rows.near(this.app.step), top = row * ROW;
    const height = this.scroller.clientHeight, now = this.scroller.scrollTop;
    const margin = how.near ? 0 : Math.min(3 * ROW, height / 4);
    if (how.centre || top < now - height || top > now + 2 * height) this.scroller.scrollTop = top - height / 2;
    else if (top - margin < now) this.scroller.scrollTop = top - margin;
    else if (top + ROW + margin > now + height) this.scroller.scrollTop = top + ROW + margin - height;
  }

  step(how) {
    if (!this.layout) return;
    if (!how.keep) this.reveal(how);
    this.draw();
    this.scroller.setAttribute("aria-activedescendant", `step-${this.app.run.number(this.app.step)}`);
  }

  filter() {
    this.layOut();
    this.reveal({ centre: true });
  }
}

function place(element, left) {
  element.style.left = `${left}px`;
  return element;
}

function threadClass(thread, model) {
  if (thread < 0) return "thread-none";
  const at = model.order.indexOf(thread);
  return model.threads[thread].path === "0" ? "thread-main" : `thread-${(at + 7) % 8}`;
}

// All that follows has failed in whatever was tried.
function isDoomed(model, run, step) {
  return run === model.run && model.critical && run.number(step) >= model.critical.step;
}
function isInCycle(model, run, step) {
  return run === model.run && model.cycle && run.number(step) >= model.cycle.begin;
}
