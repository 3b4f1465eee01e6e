// Parts what is taller than a slide, and turns the slides: arrows, Page Up and Down, the space bar, Home and End, a swipe.
// A folded answer opens before the slide turns. N opens the notes and the clock in a window of their own.
const KEYS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity };
const select = (selector, root = document) => [...root.querySelectorAll(selector)], [timer, number] = select("footer output");
let slides = [], now = -1, began = history.state?.began, notes = null, from = 0;
const fits = slide => slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth;
function part(slide) {                                                   // into slides that fit, under the same title
  const next = slide.cloneNode(false), [said, title, ...blocks] = slide.children, moved = [];
  const fit = size => { slide.style.fontSize = `${size}rem`; return fits(slide); };
  slide.classList.add("sl-now", "sl-parted");
  if (!fit(2)) {
    for (; !fit(1.625) && blocks.length > 1; moved[0].remove()) moved.unshift(blocks.pop());
    if (![1.625, 1.375, 1.125].some(fit)) moved.unshift(...cut(slide, blocks[0]));
  }
  slide.classList.remove("sl-now", "sl-parted");
  if (!moved.length) return;
  next.append(said.cloneNode(true), title.cloneNode(true), ...moved);
  slide.after(next);
  part(next);
}
function cut(slide, block) {                                             // the rows or pieces that a next slide takes over; a player shrinks
  const box = block => select("[role=group], .sl-output > .sl-view, tbody, ul, ol", block).find(box => box.children.length > 1);
  const rows = box(block), copy = block.cloneNode(true), isCut = rows && !block.querySelector("input");
  while (isCut && !fits(slide) && rows.children.length > 1) rows.lastElementChild.remove();
  for (let zoom = 1; !fits(slide) && zoom > .4; zoom -= .02) block.style.zoom = zoom;
  if (isCut) for (const row of [...box(copy).children].slice(0, rows.children.length)) row.remove();
  return isCut ? [copy] : [];
}
function turn(to) {
  slides[now]?.classList.remove("sl-now");
  now = Math.min(Math.max(to, 0), slides.length - 1);
  slides[now].classList.add("sl-now");
  slides[now].focus({ preventScroll: true });
  if (now) began ??= Date.now();
  history.replaceState({ began }, "", `#${now + 1}`);
  tell();
  if (notes) notes.document.querySelector("main").innerHTML = slides[now].querySelector("aside").innerHTML;
}
function tell() {                                                        // where one is, and how long since the first slide was turned
  const seconds = Math.floor((Date.now() - (began ?? Date.now())) / 1000), clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  number.textContent = `${now + 1} / ${slides.length}`;
  timer.textContent = `${clock} of ${timer.dataset.minutes} minutes; this section until ${slides[now].dataset.due}`;
  if (notes) notes.document.querySelector("output").textContent = `${number.textContent}, ${timer.textContent}`;
}
function speak() {
  notes = open("", "notes", "width=720,height=720");
  notes.document.head.innerHTML = `<title>Notes</title>${document.querySelector("style").outerHTML}`;
  notes.document.body.innerHTML = "<output></output><main></main>";
  notes.onkeydown = press;
  turn(now);
}
function press(event) {
  const { key, target } = event, step = KEYS[key], typing = target.closest("input, textarea, select") && !key.startsWith("Page");
  if (typing || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || key === " " && target.closest("button, summary, a")) return;
  if (step) event.preventDefault();
  const shut = step === 1 && select(":scope > details, :scope > .sl-output > details", slides[now]).find(answer => !answer.open);
  if (shut) shut.open = true;
  else if (step) turn(now + step);
  else if (key === "n" || key === "N") speak();
}
const address = () => turn(Number(location.hash.slice(1)) - 1 || 0);
select(".sl-slide").forEach(part);
slides = select(".sl-slide");
address();
setInterval(tell, 1000);
addEventListener("keydown", press);
addEventListener("hashchange", address);
addEventListener("touchstart", event => { from = event.touches[0].clientX; }, { passive: true });
addEventListener("touchend", event => {
  const moved = event.changedTouches[0].clientX - from;
  if (Math.abs(moved) > 80 && !event.target.closest(".sl-view")) turn(now - Math.sign(moved));
});
