// The current step: what it did, what comes immediately before and after it, and its stack.

const SHOWN = 6;  // of a list

class StepPanel {
  constructor(app) {
    this.app = app;
    this.element = el("section", { class: "card", id: "step" });
  }

  step() {
    const { app } = this, { model, run } = app, step = app.step;
    if (run.count === 0) {
      this.element.replaceChildren(el("h2", {}, "Steps"), el("p", { class: "muted" }, "The steps of this execution are not known."));
      return;
    }
    const thread = run.thread[step], object = run.object[step], where = model.placeOf(run.stack[step]);
    this.element.replaceChildren(
      el("h2", {}, "Step ", el("b", { id: "step-number" }, grouped(run.number(step))), el("span", { class: "of" }, ` of ${grouped(model.failure.steps)}`),
        el("span", { class: `chip ${threadClass(thread, model)}` }, model.threadName(thread))),
      el("p", { class: "deed" }, model.text(run.words[step])),
      el("p", { class: "tags" }, this.tags(step)),
      where ? el("p", { class: "muted" }, el("span", { class: "where" }, where.words), where.name ? ` in ${where.name}` : "") : "",
      object ? button(app.object === object ? "Show all objects" : `Only ${model.text(object)}`, "filter by this object (o)",
        () => app.showObject(object), "link") : "",
      this.related("Happens after", run.causes(step)),
      this.related("Happens before", run.effects(step)),
      this.others(step),
      this.stack(step));
  }
  filter() { this.step(); }

  tags(step) {
    const { model, run } = this.app, tags = [];
    const flags = run.flags[step];
    if (flags & PREEMPTION) tags.push(el("span", { class: "badge preempts" }, "preemption"));
    if (model.critical && run.index(model.critical.step) === step) tags.push(el("span", { class: "badge critical" }, "critical"));
    if (flags & YIELDS) tags.push(el("span", { class: "badge" }, "yields"));
    if (flags & IN_VAIN) tags.push(el("span", { class: "badge" }, "in vain"));
    if (isInCycle(model, run, step)) tags.push(el("span", { class: "badge" }, "in the cycle"));
    return tags;
  }

  related(title, steps) {
    if (steps.length === 0) return "";
    const { model, run } = this.app;
    return el("div", { class: "related" }, el("h3", {}, title),
      el("ul", {}, [...steps].slice(0, SHOWN).map((other) => el("li", {}, this.link(other))),
        steps.length > SHOWN ? el("li", { class: "muted" }, `and ${grouped(steps.length - SHOWN)} more`) : ""));
  }

  link(other) {
    const { app } = this, { model, run } = app;
    return el("button", { type: "button", class: "step-link", onclick: () => app.select(other) },
      el("span", { class: "number" }, grouped(run.number(other))),
      el("b", { class: threadClass(run.thread[other], model) }, model.threadName(run.thread[other])),
      el("span", {}, model.text(run.words[other])));
  }

  // Who else could have gone here.
  others(step) {
    const { model, run } = this.app, enabled = run.enabled(step);
    if (enabled === null || enabled.size < 2) return "";
    const names = [...enabled].filter((thread) => thread !== run.thread[step]);
    if (names.length === 0) return "";
    return el("p", { class: "muted" }, "Could have gone instead: ", names.slice(0, 12).map((thread) =>
      el("span", { class: `chip ${threadClass(thread, model)}` }, model.threadName(thread))), names.length > 12 ? "…" : "");
  }

  stack(step) {
    const { model, run } = this.app, frames = framesList(model, run.stack[step]);
    return frames ? el("details", { class: "stack" }, el("summary", {}, "Call stack"), frames) : "";
  }
}
