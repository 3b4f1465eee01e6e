// Parts what is taller than a slide, and turns the slides: arrows, Page Up and Down, the space bar, Home and End, a swipe.
// A folded answer opens before the slide turns. N opens the notes and the clock in a window of their own.
const KEYS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity };
const select = (selector, root = document) => [...root.querySelectorAll(selector)], now = () => Number(location.hash.slice(1)) || 1;
const fits = slide => slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth;
let notes = null, from = 0;
function part(slide) {                                                   // into slides that fit, with the same notes and title
  const next = slide.cloneNode(false), [said, title, ...blocks] = slide.children, moved = [];
  const fit = size => { slide.style.fontSize = `${size}rem`; return fits(slide); };
  slide.dataset.measured = "";
  if (!fit(2)) for (; !fit(1.625) && blocks.length > 1; moved[0].remove()) moved.unshift(blocks.pop());
  if (!fits(slide) && ![1.375, 1.125].some(fit)) moved.unshift(...cut(slide, blocks[0]));
  delete slide.dataset.measured;
  if (!moved.length) return;
  next.append(said.cloneNode(true), title.cloneNode(true), ...moved);
  slide.after(next);
  part(next);
}
function cut(slide, block) {                                             // what goes on: rows or pieces; a player shrinks
  const box = block => select("[role=group], .sl-output > .sl-view, tbody, ul, ol", block).find(box => box.children.length > 1);
  const copy = block.cloneNode(true), rows = block.querySelector("input") ? null : box(block);
  while (!fits(slide) && rows?.children.length > 1) rows.lastElementChild.remove();
  for (let zoom = 1; !fits(slide) && zoom > .4; zoom -= .02) block.style.zoom = zoom;
  if (rows) [...box(copy).children].slice(0, rows.children.length).forEach(row => row.remove());
  return rows ? [copy] : [];
}
function turn(to) {
  location.replace(`#${Math.min(Math.max(to, 1), slides.length)}`);
  if (notes) notes.document.querySelector("main").innerHTML = slides[now() - 1].querySelector("aside").innerHTML;
  tell();
}
function tell() {                                                        // where one is, and how long since the first slide was turned
  if (now() > 1) sessionStorage.began ??= Date.now();
  const clock = new Date(Date.now() - (sessionStorage.began ?? Date.now())).toISOString().slice(11, 19), { minutes, due } = slides[now() - 1].dataset;
  const told = `${now()} / ${slides.length} · ${clock} of ${minutes} minutes · this section until ${due}`;
  for (const page of [document, notes?.document ?? document]) page.querySelector("footer").textContent = told;
}
function press(event) {
  const { key, target } = event, answer = select(":target > details:not([open]), :target > .sl-output > details:not([open])")[0];
  const busy = target.closest("input, textarea, select") ? !key.startsWith("Page") : key === " " && target.closest("button, summary, a");
  if (busy || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (key in KEYS) event.preventDefault();
  if (KEYS[key] === 1 && answer) answer.open = true;
  else if (key in KEYS) turn(now() + KEYS[key]);
  else if (key === "n" || key === "N") speak();
}
function speak() {
  notes = open("", "notes", "width=720,height=720");
  notes.document.body.innerHTML = `${document.querySelector("style").outerHTML}<main></main><footer></footer>`;
  notes.onkeydown = press;
  turn(now());
}
select(".sl-slide").forEach(part);
const slides = select(".sl-slide");
slides.forEach((slide, n) => { slide.id = n + 1; });
turn(now());
setInterval(tell, 1000);
addEventListener("keydown", press);
addEventListener("touchstart", event => { from = event.touches[0].clientX; }, { passive: true });
addEventListener("touchend", event => {
  const moved = event.changedTouches[0].clientX - from;
  if (Math.abs(moved) > 80 && !event.target.closest(".sl-view")) turn(now() - Math.sign(moved));
});
