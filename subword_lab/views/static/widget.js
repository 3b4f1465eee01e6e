/* What cards, playgrounds and players share: making elements, keeping keys, following what the kernel says. */
/** A new element with properties and children. */
export const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
/** The elements in here that are named, by their `data-part`. */
export const partsOf = root => Object.fromEntries(Array.from(root.querySelectorAll("[data-part]"), part => [part.dataset.part, part]));
/** Keys pressed in here are not the notebook's shortcuts; saving still is. A field has the browser's own menu, not the notebook's. */
export function keepKeys(root) {
  root.addEventListener("keydown", event => ((event.ctrlKey || event.metaKey) && event.key === "s") || event.stopPropagation());
  root.addEventListener("contextmenu", event => event.target.matches("input, textarea") && event.stopPropagation());
}
/** Fill an element with markup, and write its title; keys pressed in here are its own. Returns the named parts. */
export function fill(owner, markup, title) {
  owner.insertAdjacentHTML("beforeend", markup);
  keepKeys(owner);
  const parts = partsOf(owner);
  parts.title.textContent = title;
  return parts;
}
/** Act on what is pointed at or gets the focus in a place, and on null when nothing does. */
export function whenPointed(place, act) {
  for (const type of ["pointerover", "focusin"]) place.addEventListener(type, ({ target }) => act(target));
  for (const type of ["pointerleave", "focusout"]) place.addEventListener(type, () => act(null));
}
/** What stands for the same, elements with an equal property `alike`, lights up together where one is pointed at. */
export function lightAlike(root) {
  whenPointed(root, (part) => {
    while (part && part.alike === undefined) part = part.parentElement;
    for (const each of root.querySelectorAll("*")) if (each.alike !== undefined) each.classList.toggle("sl-lit", each.alike === part?.alike);
  });
}
/** Of the parts of a place one at a time is reached by Tab; from it, arrow keys go on. Returns what is to be called when they change. */
export function rove(place, parts) {
  const reach = (one = parts().find(part => part.tabIndex === 0) ?? parts()[0]) => parts().forEach(part => { part.tabIndex = part === one ? 0 : -1; });
  place.addEventListener("focusin", ({ target }) => parts().includes(target) && reach(target));
  place.addEventListener("keydown", event => {
    const all = parts(), at = all.indexOf(event.target), last = all.length - 1;
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    all[Math.max(0, Math.min(last, to))].focus();
  });
  return reach;
}
/** Act when the model changes; returns how to end that. */
export const follow = (model, changes) => {
  Object.entries(changes).forEach(([change, act]) => model.on(change, act));
  return () => Object.entries(changes).forEach(([change, act]) => model.off(change, act));
};
/** The kernel is gone: an element says so in a part of it, and how to go on. */
export function endedIn(root, told) {
  root.classList.add("sl-ended");
  told.textContent = "Run this cell again to go on: the notebook's kernel was restarted or has ended.";
}
/** What somebody has typed here, on a page to read in its address too, so that a link holds it; elsewhere the address is another's. */
export function keptInAddress(owner, name) {
  if (!owner.closest("main")) return { kept: null, keep() {} };
  const key = `${name}${Array.from(document.querySelectorAll(owner.localName)).indexOf(owner) || ""}`;
  const asked = () => new URLSearchParams(location.hash.slice(1));
  let keeping;
  const keep = (text) => {
    clearTimeout(keeping);
    keeping = setTimeout(() => {
      const all = Array.from(asked()).filter(([other, value]) => value && other !== key);
      history.replaceState(null, "", `#${new URLSearchParams([...all, [key, text.slice(0, 5000)]])}`);
    }, 400);
  };
  return { kept: asked().get(key), keep };
}
/** Begin with what the address says, or else with `text`; then keep what is typed there, and tell of it. */
export function keepTyped(field, owner, name, text, changed) {
  const address = keptInAddress(owner, name);
  field.value = address.kept ?? text;
  field.addEventListener("input", () => {
    address.keep(field.value);
    changed();
  });
}
/** Define an element that is made once, of what its settings say. */
export const define = (name, make) => customElements.get(name) || customElements.define(name, class extends HTMLElement {
  connectedCallback() { this.made ??= make(this, JSON.parse(this.dataset.settings)); }
});
