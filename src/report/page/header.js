// The head of the page: what failed, where, how large it is, and how to see it again.

function weave() {
  return svg("svg", { class: "weave", viewBox: "0 0 20 20", "aria-hidden": "true" },
    svg("path", { d: "M4 1v5M4 10v9M10 1v9M10 14v5M16 1v5M16 10v9", class: "warp" }),
    svg("path", { d: "M1 8h8M11 8h8M1 12h2M5 12h10M17 12h2", class: "weft" }));
}

// Follows the system, until somebody chooses.
function themeButton() {
  const isDark = () => {
    const { theme } = document.documentElement.dataset;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  return button("◐", "light or dark (d)", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  }, "icon theme");
}

function copyButton(text) {
  const copy = button("Copy", "copy the command", async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(copy.previousElementSibling);
    }
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  }, "small");
  return copy;
}

function header(app, help) {
  const { model } = app, { failure } = model;
  const program = model.program.length > 0 ? model.program[0].split("/").pop() : "";
  document.title = [failure.kind + (failure.location ? ` at ${failure.location}` : ""), program].filter(Boolean).join(" · ");
  const found = failure.execution > 0 ? `found in execution ${grouped(failure.execution)}${failure.by ? ` (${failure.by})` : ""}` : "";
  const facts = [counted(failure.steps, "step"), counted(failure.preemptions, "preemption"), counted(model.threads.length, "thread"), found];
  return el("header", { id: "head" },
    el("div", { class: "brand" }, weave(), el("b", {}, "heddle"), program ? el("span", { title: model.program.join(" ") }, [program, ...model.program.slice(1)].join(" ")) : "",
      el("span", { class: "spring" }), themeButton(), button("?", "keys (?)", help, "icon")),
    el("h1", {}, el("span", { class: "kind", id: "kind" }, failure.kind),
      failure.thread >= 0 ? el("span", { class: `chip ${threadClass(failure.thread, model)}` }, model.threadName(failure.thread)) : "",
      failure.location ? el("span", { class: "at" }, "at ", el("code", { id: "location" }, failure.location)) : ""),
    failure.message ? el("p", { class: "message" }, failure.message) : "",
    el("div", { class: "facts" }, el("p", { id: "facts" }, facts.filter(Boolean).map((fact) => el("span", {}, fact))),
      failure.schedule ? el("p", { class: "command" }, el("code", {}, failure.replay), copyButton(failure.replay)) : ""));
}
