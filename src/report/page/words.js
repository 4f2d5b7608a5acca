// Sentences about steps and threads, as the text report has them.

// What a thread is about to do after it was left before `step`; empty: not known.
function pendingWords(model, run, thread, step) {
  const next = run.nextOf(thread, step);
  if (next !== null) return model.text(run.plain[next]);
  const end = run === model.run ? model.endOf.get(thread) : undefined;
  return end && end.state !== "ended" ? end.pending : "";
}

function preemptionWords(model, run, step) {
  const before = run.thread[step - 1];
  const about = before === undefined ? "" : pendingWords(model, run, before, step);
  const names = `${model.threadName(run.thread[step])} preempts ${model.threadName(before ?? -1)}`;
  return about === "" ? names : `${names}, before: ${about}`;
}

// Why a thread that was left does not go on.
function waitingWords(model, run, stands) {
  const words = stands.pending ?? model.text(stands.words);
  if (stands.state === "waiting") return `waits: ${words}`;
  return stands.state === "ready" ? `could go on: ${words}` : `next: ${words}`;
}

function endWords(model) {
  const { kind, thread } = model.failure;
  if (kind === "deadlock") return "no thread can go on";
  if (kind === "livelock") return "they go on like this for ever";
  return thread >= 0 ? `${model.threadName(thread)} fails: ${kind}` : `the execution fails: ${kind}`;
}

// The text with what was searched for marked in it.
function marked(text, query) {
  if (!query) return [text];
  const parts = [], low = text.toLowerCase();
  let from = 0;
  for (let at = low.indexOf(query); at >= 0; at = low.indexOf(query, from)) {
    parts.push(text.slice(from, at), el("mark", {}, text.slice(at, at + query.length)));
    from = at + query.length;
  }
  parts.push(text.slice(from));
  return parts;
}
