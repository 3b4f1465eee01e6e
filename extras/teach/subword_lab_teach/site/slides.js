// Parts what is taller than a slide, and turns the slides: arrows, Page Up and Down, the space bar, Home and End, a swipe.
// A folded answer opens before the slide turns. N opens the notes, with the clock, in a window of their own.
const main = document.querySelector("main"), answers = slide => [...slide.querySelectorAll(":scope > details, :scope > .sl-output > details")];
let slides = [], now = -1, notes = null, began = history.state?.began;
const fits = slide => slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth;
function part(slide) {
  slide.classList.add("sl-now");
  for (const answer of answers(slide)) answer.open = true;
  const blocks = [...slide.children].filter(block => !block.matches("header, aside")), moved = [];
  while (!fits(slide) && blocks.length > 1) {
    moved.unshift(blocks.pop());
    moved[0].remove();
  }
  if (!fits(slide)) slide.classList.add("sl-less");
  if (!fits(slide)) blocks[0].replaceWith(Object.assign(document.createElement("p"), { textContent: "This is larger than a slide: see it in the notebook." }));
  for (const answer of answers(slide)) answer.open = false;
  slide.classList.remove("sl-now");
  if (!moved.length) return;
  const next = slide.cloneNode(false);
  next.classList.remove("sl-less");
  next.append(slide.querySelector("header").cloneNode(true), ...moved);
  next.notes = slide.notes;
  slide.after(next);
  part(next);
}
function turn(to) {
  const next = Math.min(Math.max(to, 0), slides.length - 1);
  if (next === now) return;
  slides[now]?.classList.remove("sl-now");
  slides[now = next].classList.add("sl-now");
  document.getElementById("number").textContent = `${now + 1} / ${slides.length}`;
  if (now) began ??= Date.now();
  history.replaceState({ began }, "", `#${now + 1}`);
  slides[now].focus({ preventScroll: true });
  tell();
}
function tell() {                                                        // the clock, and to whoever speaks what to say
  const seconds = Math.floor((Date.now() - (began ?? Date.now())) / 1000), clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const time = `${clock} of ${main.dataset.minutes} minutes · this section until ${slides[now].dataset.due}`;
  document.getElementById("timer").textContent = time;
  if (!notes || notes.closed) return;
  notes.document.querySelector("output").textContent = `${now + 1} / ${slides.length} · ${time}`;
  const said = notes.document.querySelector("main"), text = `${slides[now].notes}<hr><p>Next: ${slides[now + 1]?.querySelector("h2").innerHTML ?? ""}</p>`;
  if (said.text !== text) said.innerHTML = said.text = text;
}
function speak() {
  notes = open("", "notes", "width=720,height=720");
  if (!notes) return;
  notes.document.documentElement.style.fontSize = "18px";
  notes.document.head.innerHTML = `<title>Notes</title><style>${document.querySelector("style").textContent}</style>`;
  notes.document.body.innerHTML = "<output></output><main></main>";
  notes.document.body.style = "overflow: auto; padding: 1rem";
  notes.onkeydown = press;
  tell();
}
const KEYS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity };
function press(event) {
  const { key, target } = event, typing = !key.startsWith("Page") && target.closest("input, textarea, select");
  if (typing || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || (key === " " && target.closest("button, summary, a"))) return;
  if (key === "n" || key === "N") return speak();
  if (!(key in KEYS)) return;
  event.preventDefault();
  const shut = KEYS[key] === 1 && answers(slides[now]).find(answer => !answer.open);
  if (shut) shut.open = true;
  else turn(now + KEYS[key]);
}
let from = null;
addEventListener("load", () => {
  for (const slide of main.querySelectorAll(".sl-slide")) slide.notes = slide.querySelector("aside").innerHTML;
  main.querySelectorAll(".sl-slide").forEach(part);
  slides = [...main.querySelectorAll(".sl-slide")];
  for (const slide of slides) slide.tabIndex = -1;
  turn(Number(location.hash.slice(1)) - 1 || 0);
  setInterval(tell, 1000);
});
addEventListener("keydown", press);
addEventListener("hashchange", () => turn(Number(location.hash.slice(1)) - 1 || 0));
addEventListener("beforeprint", () => slides.flatMap(answers).forEach(answer => { answer.open = true; }));
addEventListener("touchstart", event => { from = event.touches[0].clientX; }, { passive: true });
addEventListener("touchend", event => {
  const moved = event.changedTouches[0].clientX - from;
  if (Math.abs(moved) > 80 && !event.target.closest(".sl-view")) turn(now - Math.sign(moved));
});
