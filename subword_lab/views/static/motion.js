/* How things move: from where they were to where they are now. Nothing moves for whom the system says so. */
const GLIDE = "cubic-bezier(.35, 0, .1, 1)";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const counts = new WeakMap(); // what each number is on its way to
/** Whether things may move. */
export const moves = () => !still.matches;
/** An animation of the browser's own. */
export const animate = (node, frames, options) => node.animate(frames, { easing: GLIDE, fill: "backwards", ...options });
/** End whatever moves in an element: everything is where it belongs. */
export const settle = (root) => root.getAnimations({ subtree: true }).forEach((animation) => animation.cancel());
/** Count the number in a node up or down to `to`, within `ms` milliseconds. */
export function countTo(node, to, ms) {
  const mine = { to }, from = counts.get(node)?.to ?? to, start = document.timeline.currentTime;
  const frame = () => {
    if (counts.get(node) !== mine) return;
    const part = from === to || !moves() ? 1 : Math.min(1, (document.timeline.currentTime - start) / ms);
    node.textContent = Math.round(from + (to - from) * (1 - (1 - part) ** 3)).toLocaleString("en");
    if (part < 1) requestAnimationFrame(frame);
  };
  counts.set(node, mine);
  frame();
}
const boxesOf = (elements) => new Map(Array.from(elements, (each) => [each, each.getBoundingClientRect()]));
/** Elements glide from the boxes that they had: along a line or a column they slide, elsewhere they fade, as new ones do. */
function glide(before, after, ms) {
  for (const [element, box] of after) {
    const was = before.get(element), x = was?.left - box.left, y = was?.top - box.top;
    if (!was || (Math.abs(x) > 1 && Math.abs(y) > 4)) animate(element, [{ opacity: 0 }, {}], { duration: ms });
    else if (Math.hypot(x, y) > 0.5) animate(element, [{ transform: `translate(${x}px, ${y}px)` }, {}], { duration: ms });
  }
}
/** Change the rows of a list, and let them glide. */
export function glideRows(list, ms, change) {
  const before = ms && moves() && boxesOf(list.children); // a look at where things are makes the browser lay out the page
  change();
  if (before) glide(before, boxesOf(list.children), ms);
}
/** Change tiles, and let what is in sight glide from where it was.
 * stage: the element that scrolls and holds `line`, with the tiles in it, and `layer`, above them. change() changes the
 * tiles and returns the new ones, each `{el, covers}`: `covers` are the old tiles, `{el, label}`, in whose place it is. */
export function glideTiles({ stage, line, layer }, ms, change) {
  settle(stage);
  layer.replaceChildren();
  const tiles = line.getElementsByClassName("sl-tile");
  if (!ms || !moves() || tiles.length > 600) return void change(); // or too many to move
  const frame = stage.getBoundingClientRect();
  const low = Math.max(frame.top, 0) - 40, high = Math.min(frame.bottom, innerHeight) + 40;
  const before = new Map(Array.from(boxesOf(tiles)).filter(([, box]) => box.bottom > low && box.top < high));
  const fresh = change(), after = boxesOf(tiles);
  const born = fresh.map((tile) => ({
    ...tile, box: after.get(tile.el), from: tile.covers.map((old) => before.get(old.el)),
    spots: spotsOf(tile.el.firstChild, tile.covers),
  })).filter(({ from }) => from.some(Boolean)).slice(0, 120);
  glide(before, Array.from(after).filter(([tile]) => before.has(tile)), ms);
  for (const tile of born) {
    if (tile.covers.length > 1) slideTogether(tile, { stage, layer, frame }, ms);
    else animate(tile.el, [{ opacity: 0.4 }, {}], { duration: ms }); // a piece of one that came apart
  }
}
/** Where each covered label stands in the new tile's text. */
function spotsOf(text, covers) {
  const range = document.createRange();
  let at = 0;
  return covers.map(({ label }) => {
    range.setStart(text, at);
    range.setEnd(text, at = Math.min(text.length, at + label.length));
    return range.getBoundingClientRect();
  });
}
/** Several tiles became one: their letters slide together on one tile, which draws itself in. */
function slideTogether({ el, box, from, covers, spots }, { stage, layer, frame }, ms) {
  covers.forEach((old, i) => {
    const was = from[i];
    if (!was) return;
    const end = `translate(${(spots[i].left + spots[i].right - was.left - was.right) / 2}px, ${box.top - was.top}px)`;
    old.el.classList.add("sl-ghost");
    Object.assign(old.el.style, {
      left: `${was.left - frame.left}px`, top: `${was.top - frame.top + stage.scrollTop}px`, width: `${was.width}px`,
    });
    layer.append(old.el);
    const there = { transform: end, backgroundColor: "#0000", boxShadow: "none" };
    animate(old.el, [{}, { ...there, opacity: 1, offset: 0.72 }, { ...there, opacity: 0 }], { duration: ms, fill: "both" })
      .finished.then(() => old.el.remove(), () => {});
  });
  const edges = from.filter(Boolean);
  const level = edges.length === from.length && edges.every((was) => Math.abs(was.top - box.top) < 2);
  const left = Math.min(...edges.map((was) => was.left)), right = Math.max(...edges.map((was) => was.right));
  const start = level ? `translate(${left - box.left}px) scaleX(${(right - left) / box.width})` : "none";
  const blank = { color: "#0000", transformOrigin: "0 0" };
  animate(el, [{ ...blank, transform: start, opacity: 0 }, { ...blank, transform: "none", offset: 0.72 }, {}], { duration: ms });
}
