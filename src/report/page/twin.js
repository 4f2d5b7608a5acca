// A failing execution beside a passing one that differs from it in as little as can be: two steps that follow each
// other are exchanged, or another thread goes.

class Twin {
  constructor(app) {
    this.app = app;
    this.list = el("div", { class: "twin-rows" });
    this.space = el("div", { class: "twin-space" }, this.list);
    this.scroller = el("div", { class: "twin-scroller", tabindex: "0", onscroll: framed(() => this.draw()), onclick: (event) => this.click(event) }, this.space);
    this.element = el("section", { class: "twin", id: "twin", hidden: true },
      el("div", { class: "twin-head" }, el("b", { class: "fails" }, "✕ fails"), el("b", { class: "passes" }, "✓ passes"),
        button("Back to the lanes", "back to the lanes (p)", () => app.compare(false), "small")), this.scroller);
    new ResizeObserver(framed(() => this.draw())).observe(this.scroller);
  }

  get count() {
    const { failing, passing } = this.app.model.twin;
    return Math.max(failing.count, passing.count);
  }
  // The first row that differs.
  get at() {
    const { twin } = this.app.model;
    return twin.failing.index(twin.step) ?? 0;
  }

  show() {
    this.space.style.height = `${this.count * ROW}px`;
    this.scroller.scrollTop = Math.max(0, this.at * ROW - this.scroller.clientHeight / 2);
    this.draw();
  }

  draw() {
    if (this.element.hidden) return;
    const top = this.scroller.scrollTop;
    const from = Math.max(0, Math.floor(top / ROW) - OVERSCAN);
    const to = Math.min(this.count, Math.ceil((top + this.scroller.clientHeight) / ROW) + OVERSCAN);
    this.list.style.top = `${from * ROW}px`;
    const rows = [];
    for (let i = from; i < to; ++i) rows.push(this.row(i));
    this.list.replaceChildren(...rows);
  }

  row(step) {
    const { app } = this, { twin } = app.model;
    const isSwapped = step === this.at || (twin.adjacent && step === this.at + 1);
    const isCurrent = twin.failing === app.run && step === app.step;
    return el("div", { class: `row twin-row${isSwapped ? " swapped" : ""}${isCurrent ? " current" : ""}`, "data-step": step },
      this.cell(twin.failing, step, isSwapped), this.cell(twin.passing, step, isSwapped));
  }

  cell(run, step, isSwapped) {
    const { model } = this.app;
    if (step >= run.count) return el("span", { class: "twin-cell" });
    const where = model.placeOf(run.stack[step]);
    return el("span", { class: `twin-cell ${threadClass(run.thread[step], model)}` }, el("span", { class: "number" }, grouped(run.number(step))),
      isSwapped ? el("span", { class: "swap" }, this.app.model.twin.adjacent ? "⇅" : "≠") : "", el("b", { class: "who" }, model.threadName(run.thread[step])),
      el("span", { class: "words", title: model.text(run.words[step]) }, model.text(run.words[step])), where ? el("span", { class: "where" }, where.words) : "");
  }

  click(event) {
    const row = event.target.closest(".row");
    if (row && this.app.model.twin.failing === this.app.run) this.app.select(Number(row.dataset.step));
  }

  step() { this.draw(); }
}
