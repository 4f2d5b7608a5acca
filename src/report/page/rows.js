// The rows of the timeline: steps that pass the filters, what is folded between them, and remarks.

const STEP = 0, FOLD = 1, SWITCH = 2, END = 3;

class Rows {
  constructor(run) {
    this.run = run;
    this.update(() => true);
  }

  // A preemption is told in a row of its own, before the step that it leads to.
  update(shown) {
    const run = this.run, kinds = [], steps = [];
    this.rowOf = new Int32Array(run.count).fill(-1);
    let folded = -1;  // the first of the steps that are being folded
    const add = (kind, step) => {
      kinds.push(kind);
      steps.push(step);
    };
    this.shown = 0;
    for (let i = 0; i < run.count; ++i) {
      if (!shown(i)) {
        if (folded < 0) folded = i;
        continue;
      }
      if (folded >= 0) add(FOLD, folded);
      folded = -1;
      if (run.flags[i] & PREEMPTION) add(SWITCH, i);
      this.rowOf[i] = kinds.length;
      add(STEP, i);
      ++this.shown;
    }
    if (folded >= 0) add(FOLD, folded);
    add(END, run.count - 1);
    this.kinds = Uint8Array.from(kinds);
    this.steps = Uint32Array.from(steps);
    this.count = kinds.length;
  }

  // How many steps a fold has.
  folded(row) {
    const next = row + 1 < this.count && this.kinds[row + 1] !== END ? this.steps[row + 1] : this.run.count;
    return next - this.steps[row];
  }
  // The row of a step, or of the fold that it is in.
  near(step) {
    if (this.rowOf[step] >= 0) return this.rowOf[step];
    return Math.max(0, lowerBound(this.steps, step + 1) - 1);
  }
  // The next step that is shown, `by` rows on; null: there is none.
  beyond(step, by) {
    const towards = by < 0 ? -1 : 1;
    let found = null;
    let left = Math.abs(by);
    for (let row = this.near(step) + towards; row >= 0 && row < this.count && left > 0; row += towards) {
      if (this.kinds[row] !== STEP || this.steps[row] === step) continue;
      found = this.steps[row];
      --left;
    }
    return found;
  }
}
