// What stands over the lanes: search, filters, and where to jump to.

const OBJECTS_SHOWN = 200;

class Search {
  constructor(app) {
    this.app = app;
    this.input = el("input", {
      type: "search", id: "search", placeholder: "Search steps", "aria-label": "Search steps", spellcheck: "false", autocomplete: "off",
      oninput: framed(() => this.look()), onkeydown: (event) => this.key(event),
    });
    this.count = el("span", { class: "count", id: "matches", role: "status" });
    this.element = el("div", { class: "search" }, this.input, this.count,
      button("‹", "previous match (Shift+Enter)", () => this.go(-1), "icon"), button("›", "next match (Enter)", () => this.go(1), "icon"));
    app.isMatch = (step) => this.found !== null && this.found[step] === 1;
    this.found = null;
  }

  // Texts are few, steps are many: each text is looked at once.
  look() {
    const { app } = this, { model, run } = app;
    app.query = this.input.value.trim().toLowerCase();
    this.found = null;
    app.matches = [];
    if (app.query !== "") {
      const has = model.texts.map((text) => text.toLowerCase().includes(app.query));
      const at = model.stacks.map((_, stack) => {
        const where = model.placeOf(stack);
        return where !== null && [where.words, where.name, where.source].some((text) => text.toLowerCase().includes(app.query));
      });
      const who = model.threads.map(({ name, given, entry }) => [name, given, entry].some((text) => text.toLowerCase() === app.query));
      this.found = new Uint8Array(run.count);
      for (let i = 0; i < run.count; ++i) {
        const number = String(run.number(i)) === app.query;
        if (number || has[run.words[i]] || at[run.stack[i]] || who[run.thread[i]]) {
          this.found[i] = 1;
          app.matches.push(i);
        }
      }
    }
    this.tell();
    for (const view of app.views) if (view.step) view.step({ keep: true });
  }

  tell() {
    const { app } = this, at = app.matches.indexOf(app.step);
    this.count.textContent = app.query === "" ? "" : at >= 0 ? `${grouped(at + 1)} of ${grouped(app.matches.length)}` : `${grouped(app.matches.length)} found`;
  }

  // Round the end, too.
  go(by) {
    const { app } = this, all = app.matches;
    if (all.length === 0) return;
    const at = lowerBound(all, by > 0 ? app.step + 1 : app.step) + (by > 0 ? 0 : -1);
    app.select(all[(at + all.length) % all.length]);
  }

  key(event) {
    if (event.key === "Enter") this.go(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      this.input.value = "";
      this.look();
      this.input.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  step() { this.tell(); }
}

class Filters {
  constructor(app) {
    this.app = app;
    const { model } = app;
    this.chips = new Map(model.order.map((thread) => {
      const { name, given, entry } = model.threads[thread];
      return [thread, el("button", {
        type: "button", class: `chip toggle ${threadClass(thread, model)}`, "aria-pressed": "true", "data-thread": model.threads[thread].path,
        title: `${entry ? `${entry}: ` : ""}show or hide; with Shift alone`,
        onclick: (event) => event.shiftKey ? app.onlyThread(thread) : app.toggleThread(thread),
      }, given || name)];
    }));
    this.objects = el("details", { class: "menu", id: "objects" }, this.objectsHead = el("summary", {}), this.objectsBody = el("div", { class: "menu-body" }));
    this.objects.addEventListener("toggle", () => { if (this.objects.open) this.listObjects(); });
    document.addEventListener("click", (event) => { if (!this.objects.contains(event.target)) this.objects.open = false; });
    this.keys = app.hasKeys ? el("label", { class: "check" }, this.onlyKey = el("input", { type: "checkbox", id: "only-key",
      onchange: () => { app.onlyKey = this.onlyKey.checked; app.filter(); } }), "only what matters") : "";
    this.all = button("Show all", "no filters (Escape)", () => app.clearFilters(), "link");
    this.element = el("div", { class: "filters" }, el("div", { class: "chips", role: "group", "aria-label": "Threads" }, [...this.chips.values()]),
      this.objects, this.keys, this.all);
    this.filter();
  }

  // By how often they are used.
  listObjects() {
    const { app } = this, { run, model } = app, counts = new Map();
    for (let i = 0; i < run.count; ++i) if (run.object[i]) counts.set(run.object[i], (counts.get(run.object[i]) ?? 0) + 1);
    const sorted = [...counts].sort((a, b) => b[1] - a[1]);
    const list = el("ul", {});
    const input = el("input", { type: "search", placeholder: "Find an object", "aria-label": "Find an object", oninput: () => fillList() });
    const choose = (object) => {
      this.objects.open = false;
      app.object = object;
      app.filter();
    };
    const fillList = () => {
      const query = input.value.trim().toLowerCase();
      const wanted = sorted.filter(([object]) => model.text(object).toLowerCase().includes(query)).slice(0, OBJECTS_SHOWN);
      list.replaceChildren(el("li", {}, el("button", { type: "button", onclick: () => choose(0) }, "All objects")), ...wanted.map(([object, count]) =>
        el("li", {}, el("button", { type: "button", "aria-pressed": String(object === app.object), onclick: () => choose(object) },
          el("span", {}, model.text(object)), el("small", {}, grouped(count))))));
    };
    fillList();
    this.objectsBody.replaceChildren(...(sorted.length > 12 ? [input] : []), list);
  }

  filter() {
    const { app } = this;
    for (const [thread, chip] of this.chips) chip.setAttribute("aria-pressed", String(!app.hidden.has(thread)));
    this.objectsHead.textContent = app.object ? app.model.text(app.object) : "All objects";
    this.objectsHead.classList.toggle("set", app.object !== 0);
    if (this.onlyKey) this.onlyKey.checked = app.onlyKey;
    this.all.hidden = app.hidden.size === 0 && app.object === 0 && !app.onlyKey;
  }
}

// Stepping, and the steps that one wants to see.
class Jumps {
  constructor(app) {
    this.app = app;
    const { model, run } = app;
    this.where = el("span", { class: "position", id: "position" });
    const of = (name, title, steps, key) => steps.length === 0 ? "" : el("span", { class: `jump ${name}` },
      button("‹", `previous ${title} (${key.toUpperCase()})`, () => app.jump(steps, -1), "icon"), el("span", {}, name === "preempts" ? "⚡" : "◆", ` ${steps.length}`),
      button("›", `next ${title} (${key})`, () => app.jump(steps, 1), "icon"));
    const critical = model.critical ? run.index(model.critical.step) : null;
    this.element = el("div", { class: "jumps" },
      button("↑", "step back (↑ or k)", () => app.move(-1), "icon back"), this.where, button("↓", "step forward (↓ or j)", () => app.move(1), "icon forward"),
      of("preempts", "preemption", run.preemptions, "n"),
      critical !== null ? button("Critical", "to the critical step (c)", () => app.select(critical), "small critical") : "",
      button("Failure", "to the last step (End)", () => app.select(run.count - 1), "small failure"));
  }

  step() {
    const { run, step } = this.app;
    this.where.textContent = run.count > 0 ? `${grouped(run.number(step))} / ${grouped(run.number(run.count - 1))}` : "–";
  }
}
