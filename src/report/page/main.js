// Puts the page together.

function outputCard(model) {
  const { output } = model.failure;
  if (output === "") return null;
  return el("details", { class: "card output", id: "output" }, el("summary", {}, "What the program wrote"), el("pre", {}, output));
}

// Where the page holds less than the execution.
function gapNote(model) {
  const { run, failure } = model;
  if (run.count === 0 || run.count === failure.steps) return "";
  return el("p", { class: "note" }, `The page has the last ${grouped(run.count)} of ${counted(failure.steps, "step")}.`);
}

function start() {
  const model = new Model(JSON.parse(document.getElementById("model").textContent));
  const app = new App(model);
  const dialog = keysDialog();
  const lanes = new Lanes(app), search = new Search(app), filters = new Filters(app), jumps = new Jumps(app);
  const minimap = new Minimap(app, lanes), why = new Why(app), panel = new StepPanel(app), sources = new Sources(app);
  const twin = model.twin ? new Twin(app) : null;
  const head = header(app, () => dialog.showModal());
  const laneBox = el("div", { class: "lane-box" }, lanes.element, minimap.element);
  app.compare = (on) => {
    if (twin === null || app.comparing === on) return;
    app.comparing = on;
    twin.element.hidden = !on;
    laneBox.hidden = on;
    if (!on) return lanes.layOut();
    twin.show();
    twin.element.scrollIntoView({ block: "nearest" });  // on a phone it stands below the fold
  };
  document.getElementById("app").append(head,
    el("main", {},
      el("div", { class: "timeline" }, el("div", { class: "toolbar" }, jumps.element, search.element, filters.element), gapNote(model), laneBox, twin ? twin.element : ""),
      el("aside", {}, why.element, panel.element, sources.element, outputCard(model) ?? "")), dialog);
  for (const view of [lanes, search, filters, jumps, minimap, panel, sources, twin]) if (view) app.add(view);
  listenToKeys(app, { search, dialog, theme: head.querySelector(".theme") });
  addEventListener("hashchange", () => app.select(app.recall()));
  app.step = app.recall();
  lanes.layOut();
  app.select(app.step, { centre: true });
  document.documentElement.dataset.ready = "true";
}

start();
