// Shows the room, every two seconds, as HTML of the server's: what learners sent is text in it, and a question loses links and pictures.
const at = id => document.getElementById(id);
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
function drawClass(html) {                                 // what is open stays open, and what has the focus keeps it
  const { content } = make("template", { innerHTML: html }), focused = document.activeElement.id;
  for (const node of content.querySelectorAll(".example :is(a, img)")) node.replaceWith(node.textContent || node.alt || "");
  const opened = at("class").querySelector("details[open] > summary")?.id;
  for (const row of content.querySelectorAll("#mistakes summary")) row.parentElement.open = row.id === opened;
  at("class").replaceChildren(content);
  at(focused)?.focus();
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
  at("count").textContent = state.count;
  const now = JSON.stringify(state);
  if (now === last) return;
  last = now;
  at("joining").open &&= !state.asked || !at("steps").hidden;    // a first question takes its place
  at("steps").hidden = !state.asked;
  at("again").value = state.asked;
  for (const id of ["qr", "poll"]) at(id).innerHTML = state[id];
  for (const node of document.querySelectorAll("[data-say]")) node.textContent = state[node.dataset.say];
  drawClass(state.class);
  const titles = at("exercise").length ? [] : Object.entries(await ask("exercises"));
  at("exercise").append(...titles.map(([id, title]) => make("option", { value: id }, `${id} ${title}`)));
}
at("show").checked = kept.shown;                           // and a page that is loaded again shows no names
at("show").onchange = ({ target }) => { kept.shown = target.checked || ""; };
at("ask").onclick = () => tell("ask", at("exercise").value);
addEventListener("click", ({ target: { dataset, value } }) => dataset.do && tell(dataset.do, value || null));
if (kept.room) {
  draw();
  setInterval(draw, 2000);
}
