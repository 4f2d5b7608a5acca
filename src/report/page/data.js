// The model, as report/html_model.cc has written it: tables, and one column for each property of a step.
//
// A step is known by its index in the columns; its number, which people see, is that of the execution. The columns
// may begin late: what came before is not in the page.

const PREEMPTION = 1, YIELDS = 2, IN_VAIN = 4, MATTERS = 8;

// Of sorted numbers, how many are less than `value`.
function lowerBound(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Lists of numbers, one for each of `count` owners, from pairs.
function listsOf(count, pairs, owner, value) {
  const begin = new Uint32Array(count + 1), all = new Uint32Array(pairs.length / 2);
  for (let i = 0; i < pairs.length; i += 2) ++begin[pairs[i + owner] + 1];
  for (let i = 0; i < count; ++i) begin[i + 1] += begin[i];
  const next = begin.slice();
  for (let i = 0; i < pairs.length; i += 2) all[next[pairs[i + owner]]++] = pairs[i + value];
  return (which) => all.subarray(begin[which], begin[which + 1]);
}

class Run {
  constructor(raw, threads) {
    this.first = raw.first;
    this.count = raw.thread.length;
    this.thread = Uint16Array.from(raw.thread);
    for (const name of ["op", "words", "plain", "object", "stack", "flags"]) this[name] = Uint32Array.from(raw[name]);
    this.ops = raw.ops.map(([words, effect, shape]) => ({ words, effect, shape }));
    this.stepsOf = threads.map(() => []);
    for (let i = 0; i < this.count; ++i) this.stepsOf[this.thread[i]].push(i);
    this.preemptions = this.indices((i) => this.flags[i] & PREEMPTION);
    this.enabledAt = raw.enabledAt;
    this.enabledSet = raw.enabledSet;
    this.enabledSets = raw.enabledSets.map((set) => new Set(set));
    const pairs = new Uint32Array(raw.causes.length);
    for (let i = 0, step = 0; i < pairs.length; i += 2) {
      step += raw.causes[i];
      pairs[i] = step;
      pairs[i + 1] = step - raw.causes[i + 1];
    }
    // The steps of other threads that come immediately before a step, and those that come immediately after it.
    this.causes = listsOf(this.count, pairs, 0, 1);
    this.effects = listsOf(this.count, pairs, 1, 0);
  }

  indices(wanted) {
    const found = [];
    for (let i = 0; i < this.count; ++i) if (wanted(i)) found.push(i);
    return found;
  }
  number(step) { return this.first + step; }
  // Of a step's number; null if it is not here.
  index(number) {
    const index = number - this.first;
    return index >= 0 && index < this.count ? index : null;
  }
  // The last step of the thread up to `step`, and its first one after it; null: none.
  lastOf(thread, step) {
    const steps = this.stepsOf[thread], after = lowerBound(steps, step + 1);
    return after > 0 ? steps[after - 1] : null;
  }
  nextOf(thread, step) {
    const steps = this.stepsOf[thread], after = lowerBound(steps, step + 1);
    return after < steps.length ? steps[after] : null;
  }
  // The threads that could have made the step; null: not known.
  enabled(step) {
    const at = lowerBound(this.enabledAt, step + 1);
    const set = at > 0 ? this.enabledSets[this.enabledSet[at - 1]] : null;
    return set && set.size > 0 ? set : null;
  }
  shape(step) { return this.ops[this.op[step]].shape; }
}

class Model {
  constructor(raw) {
    Object.assign(this, raw);
    this.places = raw.places.map(([file, line, name, words, system, source]) => ({
      file, line, system: system === 1,
      name: raw.texts[name], words: raw.texts[words], source: raw.texts[source],
    }));
    this.sourceOf = new Map(raw.sources.map(({ file, parts }) => [file, parts]));
    this.run = new Run(raw.run, raw.threads);
    // Two executions that differ in one step or two: the failing one is this one, unless it has another.
    if (raw.twin) {
      const run = (one) => one === null ? this.run : new Run(one, raw.threads);
      this.twin = { ...raw.twin, failing: run(raw.twin.failing), passing: run(raw.twin.passing) };
    }
    this.endOf = new Map(raw.atEnd.map((end) => [end.thread, end]));
    this.order = raw.threads.map((_, i) => i).sort((a, b) => comparePaths(raw.threads[a].path, raw.threads[b].path));
  }

  text(number) { return this.texts[number]; }
  threadName(thread) { return thread < 0 ? "?" : this.threads[thread].name; }
  // Of a stack the place where the user sees it, or null.
  placeOf(stack) {
    const place = this.userPlaces[stack];
    return place < 0 ? null : this.places[place];
  }
  frames(stack) { return this.stacks[stack].map((place) => this.places[place]); }
  // The lines [from, to] of a file as [number, text], as far as they are known.
  lines(place, before, after) {
    const parts = this.sourceOf.get(place.file);
    if (!parts) return place.source ? [[place.line, place.source]] : [];
    const found = [];
    for (const { first, lines } of parts) {
      for (let i = Math.max(first, place.line - before); i <= place.line + after && i < first + lines.length; ++i) {
        found.push([i, lines[i - first]]);
      }
    }
    return found;
  }
}

// "2" before "2.1" before "10".
function comparePaths(a, b) {
  const left = a.split(".").map(Number), right = b.split(".").map(Number);
  for (let i = 0; i < Math.min(left.length, right.length); ++i) {
    if (left[i] !== right[i]) return left[i] - right[i];
  }
  return left.length - right.length;
}

// Where a thread stands when `step` has been made: what it does next, or did last.
function standing(model, run, thread, step) {
  if (run.thread[step] === thread) return { state: "running", step, stack: run.stack[step] };
  const next = run.nextOf(thread, step), last = run.lastOf(thread, step);
  const end = run === model.run ? model.endOf.get(thread) : undefined;
  if (last === null && (next === null || run.number(0) === 0)) {
    if (next === null && end && end.state !== "unused" && end.state !== "ended") return pendingAtEnd(end);
    return { state: "not begun", step: next, stack: 0 };
  }
  if (next === null) return end && end.state !== "ended" ? pendingAtEnd(end) : { state: "ended", step: last, stack: 0 };
  const enabled = step + 1 < run.count ? run.enabled(step + 1) : null;
  const state = enabled === null ? "next" : enabled.has(thread) ? "ready" : "waiting";
  return { state, step: next, stack: run.stack[next], words: run.plain[next] };
}

function pendingAtEnd(end) {
  return { state: end.state === "waiting" ? "waiting" : "ready", step: null, stack: end.stack, pending: end.pending };
}
