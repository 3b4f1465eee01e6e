// Turns the slides: arrows, Page Up and Down, the space bar, Home and End, a swipe; the address remembers where one is.
const slides = [...document.querySelectorAll(".sl-slide")];
let now = -1;
function turn(to) {
  const next = Math.min(Math.max(to, 0), slides.length - 1);
  if (next === now) return;
  slides[now]?.classList.remove("sl-now");
  slides[now = next].classList.add("sl-now");
  document.getElementById("number").textContent = `${now + 1} / ${slides.length}`;
  history.replaceState(null, "", `#${now + 1}`);
  scrollTo(0, 0);
  slides[now].focus({ preventScroll: true });
}
const KEYS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity };
addEventListener("keydown", event => {
  const busy = event.target.closest("button, input, textarea, select, summary, a");        // a player has keys of its own
  if (busy || !(event.key in KEYS) || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  turn(now + KEYS[event.key]);
});
let from = null;
addEventListener("touchstart", event => { from = event.touches[0].clientX; }, { passive: true });
addEventListener("touchend", event => {
  const moved = event.changedTouches[0].clientX - from;
  if (Math.abs(moved) > 80 && !event.target.closest(".sl-view")) turn(now - Math.sign(moved));
});
addEventListener("hashchange", () => turn(Number(location.hash.slice(1)) - 1 || 0));
turn(Number(location.hash.slice(1)) - 1 || 0);
