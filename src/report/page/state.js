// What the page shows now. Whoever changes it calls app.changed(...), and all views look again.

class App {
  constructor(model) {
    this.model = model;
    this.run = model.run;
    this.rows = new Rows(this.run);
    this.step = Math.max(0, this.run.count - 1);
    this.hidden = new Set();  // threads that are filtered out
    this.object = 0;          // the only one that is shown, as a text's number; 0: all
    this.onlyKey = false;     // only the steps that matter
    this.query = "";
    this.matches = [];
    this.comparing = false;   // with the passing twin
    this.views = [];
    this.last = framed(() => this.remember());
  }

  // A view has step() and filter(): the step was changed, or which rows there are.
  add(view) { this.views.push(view); }

  select(step, how = {}) {
    if (step === null || step === undefined || this.run.count === 0) return;
    this.step = Math.max(0, Math.min(this.run.count - 1, step));
    for (const view of this.views) if (view.step) view.step(how);
    this.last();
  }

  filter() {
    const run = this.run;
    const isMatch = (i) => !this.hidden.has(run.thread[i]) && (this.object === 0 || run.object[i] === this.object) &&
        (!this.onlyKey || this.isKey(i));
    this.rows.update(isMatch);
    for (const view of this.views) if (view.filter) view.filter();
    for (const view of this.views) if (view.step) view.step({ keep: true });
  }

  isKey(step) { return (this.run.flags[step] & MATTERS) !== 0; }
  get hasKeys() { return this.keys ??= this.run.flags.some((flags) => flags & MATTERS) && this.run.flags.some((flags) => !(flags & MATTERS)); }

  clearFilters() {
    this.hidden.clear();
    this.object = 0;
    this.onlyKey = false;
    this.filter();
  }

  showObject(object) {
    this.object = this.object === object ? 0 : object;
    this.filter();
  }

  toggleThread(thread) {
    if (!this.hidden.delete(thread)) this.hidden.add(thread);
    this.filter();
  }

  // All but one, or all again.
  onlyThread(thread) {
    const others = this.model.order.filter((other) => other !== thread);
    const isAlone = others.every((other) => this.hidden.has(other)) && !this.hidden.has(thread);
    this.hidden = new Set(isAlone ? [] : others);
    this.filter();
  }

  // Steps in some list, before or after the current one.
  jump(steps, by) {
    if (steps.length === 0) return;
    const at = lowerBound(steps, by > 0 ? this.step + 1 : this.step);
    const target = by > 0 ? steps[at] : steps[at - 1];
    if (target !== undefined) this.select(target);
  }

  move(by) {
    const target = this.rows.beyond(this.step, by);
    if (target !== null) this.select(target);
  }

  // The step is kept in the address: a link to it can be passed on.
  remember() {
    try {
      history.replaceState(null, "", `#step=${this.run.number(this.step)}`);
    } catch {
      // Some browsers do not let a page of a file do it.
    }
  }

  recall() {
    const found = /[#&]step=(\d+)/.exec(location.hash);
    const step = found ? this.run.index(Number(found[1])) : null;
    return step ?? (this.model.critical ? this.run.index(this.model.critical.step) : null) ?? this.run.count - 1;
  }
}
