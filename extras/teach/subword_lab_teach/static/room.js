// Draws the room, every two seconds. Whatever a learner has sent is put in as text; a question comes as HTML that the
// server has made of its Markdown, and loses its links and pictures here. A poll is HTML of the course's own words.
const at = id => document.getElementById(id);
const text = value => make("bdi", { textContent: value });
const SIGNS = { done: "✓", partial: "◐", tried: "✗", seen: "·" };
const WORDS = { done: "right", partial: "partly right", tried: "not right yet", seen: "looked at" };
// The key goes from the address, which a projector shows, into this tab's own memory; a learner's code into the form.
let kept = {};
try { kept = sessionStorage; } catch { /* this browser keeps nothing */ }
const given = new URLSearchParams(location.hash.slice(1)).get("teacher");
document.querySelector("[name=code]").value = given ? "" : location.hash.slice(1);
if (given) {
  kept.room = given;
  history.replaceState(null, "", location.pathname);
}
const ask = async (path, body) => {
  const headers = { Authorization: `Bearer ${kept.room}`, "Content-Type": "application/json" };
  const answer = await fetch(path, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(answer.status === 403 ? "403" : (await answer.json()).refused);
  return answer.json();
};
const tell = (path, body) => ask(path, body).catch(error => alert(error.message)).then(draw);
const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const table = (head, rows) => make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
const asking = id => make("button", { textContent: "Ask", ariaLabel: `ask the room ${id}`, onclick: () => tell("ask", id) });
function grid({ learners, exercises }) {
  const head = [make("td"), ...exercises.map(({ id, title }) => make("th", { scope: "col", title }, id, asking(id))), make("th", { scope: "col" }, "answers")];
  const rows = learners.map(({ name, places, answers }) => {
    const away = make("button", { textContent: "✕", ariaLabel: `forget ${name}`, onclick: () => tell("forget", name) });
    const cells = exercises.map(({ id }) => {
      const [state, tries] = places[id] ?? ["", 0];
      return make("td", { className: state, title: state && `${WORDS[state]}, ${counted(tries, "answer")}` }, state && `${SIGNS[state]} ${tries || ""}`);
    });
    return make("tr", {}, make("th", { scope: "row" }, away, text(name)), ...cells, make("td", {}, String(answers)));
  });
  return rows.length ? [table(head, rows)] : [];
}
const waits = ({ learners }) => learners.filter(({ waits }) => waits[0]).sort((a, b) => b.waits[0] - a.waits[0]).map(({ name, waits }) =>
  make("li", { className: waits[0] === 1 ? "quiet" : "" }, make("b", {}, text(name)), ` ${waits[1]}`));
let opened = "";                                          // the mistake whose example is open
function example({ question, answer, message }) {
  const asked = make("div", { innerHTML: question });
  asked.querySelectorAll("a, img").forEach(node => node.replaceWith(node.textContent || node.alt || ""));
  return make("div", { className: "example" }, asked, make("p", {}, "Somebody's answer: ", make("code", {}, text(answer))), make("p", {}, "They were told: ", text(message)));
}
const mistakes = ({ mistakes }) => mistakes.map(row => {
  const id = row.exercise + row.label, shown = opened === id ? [example(row)] : [];
  const button = make("button", { onclick: () => { opened = opened === id ? "" : id; draw(); } }, "Example");
  button.dataset.mistake = id;
  return make("li", {}, `${row.exercise} ${row.title} · `, make("b", {}, text(row.words || "a mistake without a name")),
              ` · ${counted(row.learners, "learner")} `, button, " ", asking(row.exercise), ...shown);
});
function plot({ learners, exercises }) {
  const rows = exercises.map(({ id, title }) => {
    const counts = ["done", "partial", "tried"].map(state => [state, learners.filter(({ places }) => places[id]?.[0] === state).length]);
    const bars = counts.filter(([, count]) => count).map(([state, count]) =>
      make("span", { className: state, style: `width:${100 * count / learners.length}%` }, `${SIGNS[state]} ${count}`));
    const told = counts.map(([state, count]) => `${count} ${WORDS[state]}`).join(", ");
    return make("tr", {}, make("th", { scope: "row" }, `${id} ${title}`), make("td", {}, make("div", { className: "bar" }, ...bars)), make("td", {}, told));
  });
  return [table([make("td"), make("th", { scope: "col" }, `of ${counted(learners.length, "learner")}`), make("td")], rows)];
}
let last = "";
async function draw() {
  let state;
  try {
    state = await ask(`state?here=${encodeURIComponent(location.origin + location.pathname)}`);
  } catch (error) {
    at("count").textContent = error.message === "403" ? "" : "The room cannot be reached: the command has ended, or the network is away. It is tried again.";
    return;
  }
  at("buttons").hidden = at("room").hidden = false;
  at("enter").hidden = true;
  at("count").textContent = `${counted(state.learners.length, "learner")}, ${counted(state.learners.reduce((sum, { answers }) => sum + answers, 0), "answer")}`;
  const now = JSON.stringify({ ...state, opened });
  if (now === last) return;                               // what has the focus keeps it
  last = now;
  at("joining").open &&= !state.asked || !at("steps").hidden;    // a first question takes its place
  at("steps").hidden = !state.asked;
  for (const id of ["qr", "poll"]) at(id).innerHTML = state[id];
  for (const node of document.querySelectorAll("[data-say]")) node.textContent = state[node.dataset.say];
  const focused = document.activeElement?.dataset?.mistake;
  for (const [id, part] of Object.entries({ grid, waits, mistakes, plot })) at(id).replaceChildren(...part(state));
  [...document.querySelectorAll("[data-mistake]")].find(button => button.dataset.mistake === focused)?.focus();
  const titles = at("exercise").length ? [] : Object.entries(await ask("exercises"));
  at("exercise").append(...titles.map(([id, title]) => make("option", { value: id }, `${id} ${title}`)));
}
function show(shown) {                                     // and a page that is loaded again shows no names
  document.body.classList.toggle("shown", shown);
  at("show").ariaPressed = String(shown);
  kept.shown = shown || "";
}
show(Boolean(kept.shown));
at("show").onclick = () => show(!document.body.classList.contains("shown"));
for (const id of ["forget", "reveal"]) at(id).onclick = () => tell(id, null);
at("ask").onclick = () => tell("ask", at("exercise").value);
at("again").onclick = () => tell("ask", JSON.parse(last).asked);
at("close").onclick = () => tell("ask", null);
if (kept.room) {
  draw();
  setInterval(draw, 2000);
}
