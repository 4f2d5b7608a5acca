// The keyboard.

const KEYS = [
  ["↓ or j, ↑ or k", "one step forward, back"],
  ["→ or l, ← or h", "… of the same thread"],
  ["PageDown, PageUp", "twenty steps"],
  ["Home, End", "the first step, the last one"],
  ["n, N", "the next preemption, the one before"],
  ["s, S", "the next step on the same object, the one before"],
  ["c", "the critical step"],
  ["o", "only this step's object, or all"],
  ["t", "only this step's thread, or all"],
  ["/", "search; Enter: the next match"],
  ["p", "the passing run beside it"],
  ["Escape", "no search, no filters"],
  ["d", "light or dark"],
  ["?", "these keys"],
];

function keysDialog() {
  const dialog = el("dialog", { id: "keys", onclick: (event) => { if (event.target === dialog) dialog.close(); } },
    el("h2", {}, "Keys"), el("dl", {}, KEYS.map(([key, words]) => [el("dt", {}, key), el("dd", {}, words)])),
    button("Close", "close", () => dialog.close(), "small"));
  return dialog;
}

function sameThread(app, by) {
  const steps = app.run.stepsOf[app.run.thread[app.step]];
  app.select(steps[lowerBound(steps, app.step) + by]);
}

function sameObject(app, by) {
  const { run } = app, object = run.object[app.step];
  if (object === 0) return;
  for (let i = app.step + by; i >= 0 && i < run.count; i += by) {
    if (run.object[i] === object) return app.select(i);
  }
}

function listenToKeys(app, { search, dialog, theme }) {
  const actions = {
    ArrowDown: () => app.move(1), j: () => app.move(1), ArrowUp: () => app.move(-1), k: () => app.move(-1),
    ArrowRight: () => sameThread(app, 1), l: () => sameThread(app, 1), ArrowLeft: () => sameThread(app, -1), h: () => sameThread(app, -1),
    PageDown: () => app.move(20), PageUp: () => app.move(-20),
    Home: () => app.select(0), End: () => app.select(app.run.count - 1),
    n: () => app.jump(app.run.preemptions, 1), N: () => app.jump(app.run.preemptions, -1),
    s: () => sameObject(app, 1), S: () => sameObject(app, -1),
    c: () => app.model.critical && app.select(app.run.index(app.model.critical.step)),
    o: () => (app.object || app.run.object[app.step]) && app.showObject(app.object || app.run.object[app.step]),
    t: () => app.onlyThread(app.run.thread[app.step]),
    "/": () => search.input.select(),
    p: () => app.model.twin && app.compare(!app.comparing),
    d: () => theme.click(),
    "?": () => dialog.showModal(),
    Escape: () => { app.compare(false); app.clearFilters(); },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || dialog.open) return;
    if (event.target instanceof Element && event.target.closest("input, textarea, select")) return;
    if (event.key === "Enter" || event.key === " ") return;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (action === null) return;
    event.preventDefault();
    action();
  });
}
