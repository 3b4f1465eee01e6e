// Parts what is taller than a slide, and turns the slides. N opens the notes and the clock in a window of their own.
const KEYS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity };
const box = block => [...block.querySelectorAll("[role=group], .sl-output > .sl-view, tbody, ul, ol")].find(box => box.children.length > 1);
const now = () => Number(location.hash.slice(1)) || 1;
let notes = null, count = 0;
function part(slide) {                                                   // what does not fit goes on behind it, with the same notes and title
  const next = slide.cloneNode(false), [said, title, ...blocks] = slide.children, moved = [];
  const fits = (size = slide.style.fontSize) => {
    slide.style.fontSize = size;
    return slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth;
  };
  if (!fits("2rem")) for (; !fits("1.625rem") && blocks.length > 1; moved[0].remove()) moved.unshift(blocks.pop());
  if (!fits() && !["1.375rem", "1.125rem"].some(fits)) {                 // rows or pieces go on; a player shrinks
    const rows = blocks[0].querySelector("input") ? null : box(blocks[0]), copy = blocks[0].cloneNode(true), rest = box(copy);
    rest?.replaceChildren();
    while (!fits() && rows?.children.length > 1) rest.prepend(rows.lastElementChild);
    let zoom = 1;
    while (!fits() && zoom > .4) blocks[0].style.zoom = zoom -= .02;
    if (zoom < 1) blocks[0].style.zoom = zoom - .02;                     // a player may grow by a line when it plays
    if (rows) moved.unshift(copy);
  }
  next.append(said.cloneNode(true), title.cloneNode(true), ...moved);
  if (moved.length) slide.after(next);
  slide.id = ++count;
}
function turn(to) {
  location.replace(`#${Math.min(Math.max(to, 1), count)}`);
  if (notes) notes.document.querySelector("main").innerHTML = document.querySelector(":target > aside").innerHTML;
  tell();
}
function tell() {                                                        // where one is, and how long the page has been open
  const clock = new Date(performance.now()).toISOString().slice(11, 19), { minutes, due } = document.getElementById(now()).dataset;
  const until = due > 0 ? ` · this section until minute ${due}` : "";         // an opening takes no minutes of its own
  const told = `${now()} / ${count} · ${clock} of ${minutes} minutes${until}`;
  for (const page of [document, notes?.document]) page?.querySelector("footer").replaceChildren(told);
}
function press(event) {
  const { key, target } = event, answer = document.querySelector(":target > details:not([open]), :target > .sl-output > details:not([open])");
  const busy = target.closest(`input, textarea, select${key === " " ? ", button, summary, a" : ""}`) || event.defaultPrevented;
  if (busy || event.ctrlKey || event.altKey || event.metaKey) return;
  if (KEYS[key] === 1 && answer) answer.open = true;
  else if (key in KEYS) turn(now() + KEYS[key]);
  else if (key === "n" || key === "N") {
    notes = open("", "notes", "width=720,height=720");
    notes.document.body.innerHTML = `${document.querySelector("style").outerHTML}<main></main><footer></footer>`;
    notes.onkeydown = press;
    turn(now());
  }
}
Promise.allSettled([...document.images].map(image => image.decode())).then(() => {      // before, they have no height
  for (let slide = document.querySelector(".sl-slide"); slide; slide = slide.nextElementSibling) part(slide);
  turn(now());
  setInterval(tell, 1000);
});
addEventListener("keydown", press);
