// The whole execution in a narrow strip beside the lanes: who ran when, preemptions, what can be seen now.

class Minimap {
  constructor(app, lanes) {
    this.app = app;
    this.lanes = lanes;
    this.canvas = el("canvas", { class: "minimap", "aria-hidden": "true" });
    this.element = this.canvas;
    const drag = (event) => {
      if (event.buttons !== 1) return;
      const box = this.canvas.getBoundingClientRect();
      const part = Math.max(0, Math.min(1, (event.clientY - box.top) / box.height));
      lanes.scroller.scrollTop = part * app.rows.count * ROW - lanes.scroller.clientHeight / 2;
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      drag(event);
    });
    this.canvas.addEventListener("pointermove", drag);
    new ResizeObserver(framed(() => this.paint())).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
    new MutationObserver(() => this.paint()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  colour(name) { return getComputedStyle(this.probes[name]).color; }

  // Colours are the style's: a hidden element for each thread has them.
  get probes() {
    if (this.made) return this.made;
    const names = ["thread-main", ...Array.from({ length: 8 }, (_, i) => `thread-${i}`), "preempts-colour", "failure-colour", "ink-colour"];
    this.made = Object.fromEntries(names.map((name) => [name, el("span", { class: `${name} probe` })]));
    this.canvas.after(...Object.values(this.made));
    return this.made;
  }

  // What does not change with the current step, on a canvas of its own.
  paint() {
    const { app, canvas } = this, { rows, run, model } = app;
    const scale = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0 || height === 0) return;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const back = this.back = document.createElement("canvas");
    back.width = canvas.width;
    back.height = canvas.height;
    const to = back.getContext("2d");
    to.scale(scale, scale);
    const threads = this.lanes.visible, lane = (width - 10) / Math.max(1, threads.length);
    const column = new Map(threads.map((thread, i) => [thread, i]));
    const colours = new Map(threads.map((thread) => [thread, this.colour(threadClass(thread, model))]));
    const each = Math.max(1, rows.count / (height * scale)), thick = Math.max(height / rows.count, 1 / scale);
    for (let at = 0; at < rows.count; at += each) {
      const row = Math.floor(at);
      if (rows.kinds[row] !== STEP) continue;
      const thread = run.thread[rows.steps[row]];
      to.fillStyle = colours.get(thread);
      to.fillRect(8 + column.get(thread) * lane, row / rows.count * height, Math.max(1, lane - 1), Math.max(thick, 1));
    }
    to.fillStyle = this.colour("preempts-colour");
    for (const step of run.preemptions) {
      const row = rows.rowOf[step];
      if (row >= 0) to.fillRect(0, row / rows.count * height - 1, 6, 2);
    }
    to.fillStyle = this.colour("failure-colour");
    to.fillRect(0, height - 2, width, 2);
    this.draw();
  }

  draw() {
    const { canvas, lanes, app } = this;
    if (!this.back || canvas.width === 0) return;
    const to = canvas.getContext("2d"), scale = devicePixelRatio || 1;
    to.setTransform(1, 0, 0, 1, 0, 0);
    to.clearRect(0, 0, canvas.width, canvas.height);
    to.drawImage(this.back, 0, 0);
    to.scale(scale, scale);
    const height = canvas.clientHeight, whole = app.rows.count * ROW;
    to.strokeStyle = to.fillStyle = this.colour("ink-colour");
    to.globalAlpha = 0.08;
    const top = lanes.scroller.scrollTop / whole * height, seen = Math.max(6, lanes.scroller.clientHeight / whole * height);
    to.fillRect(0, top, canvas.clientWidth, seen);
    to.globalAlpha = 0.5;
    to.strokeRect(0.5, top + 0.5, canvas.clientWidth - 1, seen - 1);
    to.globalAlpha = 1;
    to.fillRect(0, app.rows.near(app.step) / app.rows.count * height - 0.5, canvas.clientWidth, 1.5);
  }

  step() { this.draw(); }
  scrolled() { this.draw(); }
  filter() { this.paint(); }
}
