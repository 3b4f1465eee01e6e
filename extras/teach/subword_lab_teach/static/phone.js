// Tells the room every few seconds that this phone is still here, and shows what is asked. Who one is stays in this browser.
const at = id => document.getElementById(id);
const joined = new URLSearchParams(location.search), session = `phone ${Math.random()}`;
let number = 0, shown = "", kept = {}, unsent = [];
try { kept = localStorage; } catch { /* this browser keeps nothing */ }
if (joined.has("code")) {                                 // by the form of the room's page
  kept.code = joined.get("code").toUpperCase().replaceAll("0", "O").replaceAll("1", "I").replace(/[^A-Z2-7]/g, "").replace(/^.{4}/, "$&-");
  kept.name = joined.get("name").trim() || "?";
  kept.learner ||= Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");
  history.replaceState(null, "", "phone");
}
async function tell(still = !unsent.length) {
  const { code, name, learner: key } = kept, events = unsent.splice(0, 1); // what is refused takes nothing else with it
  const sent = { method: "POST", headers: { Authorization: `Bearer ${code}` }, body: JSON.stringify({ name, key, session, still, events }) };
  const reply = await fetch("page", sent).catch(() => { unsent.unshift(...events); });
  const { page = shown, refused = "" } = reply ? await reply.json() : { refused: "The room cannot be reached now. It is tried again." };
  if (page !== shown) at("page").innerHTML = shown = page; // or else what is being typed stays
  at("refused").textContent = refused;
}
addEventListener("submit", event => {
  event.preventDefault();
  unsent.push({ ...event.target.dataset, answer: new FormData(event.target).get("answer") ?? "", n: number += 1 });
  tell();
});
tell(!joined.has("code"));
setInterval(tell, 3000);
