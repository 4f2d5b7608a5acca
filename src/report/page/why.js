// Why it fails: who waits for whom, the accesses of a race, the life of a block, the cycle of a livelock.

class Why {
  constructor(app) {
    const { model } = app;
    this.app = app;
    const parts = [this.graph(), this.critical(), this.twin(), this.witnesses(), this.cycle(), this.waiting(), this.stack(), this.transfers(), this.note()]
      .filter((part) => part !== null);
    this.element = el("section", { class: "card", id: "why" }, el("h2", {}, "Why it fails"),
      parts.length > 0 ? parts : el("p", { class: "muted" }, model.failure.message));
    if (parts.length === 0 && model.failure.message === "") this.element.hidden = true;
  }

  // Threads that wait, with what for.
  get waiters() {
    return this.app.model.atEnd.filter((end) => end.state === "waiting" && !end.transfers);
  }

  graph() {
    const { model } = this.app;
    if (!["deadlock", "unmet", "hang"].includes(model.failure.kind)) return null;
    return waitGraph(model, this.waiters);
  }

  critical() {
    const { app } = this, { critical, always } = app.model;
    if (!critical) return always ? el("p", { class: "critical-words" }, always) : null;
    return el("div", { class: "critical-words" }, el("p", {}, critical.words),
      button(`To step ${grouped(critical.step)}`, "to the critical step (c)", () => app.select(app.run.index(critical.step)), "link"));
  }

  twin() {
    const { app } = this, { twin } = app.model;
    if (!twin) return null;
    return el("div", { class: "twin-words" }, el("p", {}, twin.words),
      button("Compare with the passing run", "side by side (p)", () => app.compare(true), "link"));
  }

  witnesses() {
    const { model } = this.app;
    if (model.witnesses.length === 0) return null;
    return el("div", { class: "witnesses" }, model.witnesses.map((witness) => {
      const where = model.placeOf(witness.stack);
      return el("div", { class: `witness ${threadClass(witness.thread, model)}` },
        el("p", { class: "role" }, witness.words, where ? el("span", { class: "where" }, where.words) : ""),
        where ? excerpt(model, where, 1) : "", el("details", { class: "stack" }, el("summary", {}, "Call stack"), framesList(model, witness.stack)));
    }));
  }

  cycle() {
    const { app } = this, { cycle } = app.model;
    if (!cycle) return null;
    const words = cycle.proved
      ? `${counted(cycle.length, "step")} from step ${grouped(cycle.begin)} on lead back to the same state: this can go on for ever.`
      : `${counted(cycle.length, "step")} are repeated from step ${grouped(cycle.begin)} on, ${counted(cycle.repeats, "time")}.`;
    return el("div", { class: "cycle-words" }, el("p", {}, words),
      button(`To step ${grouped(cycle.begin)}`, "where the cycle begins", () => app.select(app.run.index(cycle.begin)), "link"));
  }

  // What the threads look for in vain, and what they wait for.
  waiting() {
    const { model } = this.app, { kind } = model.failure;
    const looks = model.waits.map(({ thread, words, stack }) => ({ thread, words, stack }));
    const held = ["deadlock", "unmet", "livelock", "good-samaritan", "hang"].includes(kind) ? this.waiters.map((end) => ({
      thread: end.thread, stack: end.stack,
      words: end.words + (end.holder >= 0 && !end.joins ? `, held by ${model.threadName(end.holder)}` : ""),
    })) : [];
    const all = [...looks, ...held];
    if (all.length === 0) return null;
    return el("ul", { class: "waits" }, all.slice(0, 16).map(({ thread, words, stack }) => {
      const where = model.placeOf(stack);
      return el("li", {}, el("b", { class: threadClass(thread, model) }, model.threadName(thread)), el("span", {}, words),
        where ? el("span", { class: "where" }, where.words) : "");
    }), all.length > 16 ? el("li", { class: "muted" }, `… and ${grouped(all.length - 16)} more`) : "");
  }

  stack() {
    const { model } = this.app, { failure } = model;
    if (failure.kind === "deadlock" || failure.kind === "livelock" || model.witnesses.length > 0) return null;
    const where = model.placeOf(failure.stack);
    if (!where) return null;
    return el("div", { class: `witness ${threadClass(failure.thread, model)}` },
      el("p", { class: "role" }, failure.thread >= 0 ? `${model.threadName(failure.thread)} fails here` : "Here", el("span", { class: "where" }, where.words)),
      excerpt(model, where, 2), el("details", { class: "stack" }, el("summary", {}, "Call stack"), framesList(model, failure.stack)));
  }

  transfers() {
    const { model } = this.app;
    if (model.transfers.length === 0) return null;
    return el("details", { class: "stack", open: true }, el("summary", {}, "What the script did"),
      el("ol", { class: "transfers" }, model.transfers.map(({ thread, until, stack }) => {
        const where = model.placeOf(stack);
        return el("li", {}, where ? el("span", { class: "where" }, where.words) : "",
          thread < 0 ? el("span", {}, "all in scope, interleaved, until their ends") : [
            el("b", { class: threadClass(thread, model) }, model.threadName(thread)),
            el("span", {}, until === "" ? "until its end" : `until ${until}`)]);
      })));
  }

  note() {
    const { note } = this.app.model.failure;
    return note === "" ? null : el("p", { class: "note" }, note);
  }
}
