/* What cards, playgrounds and players share: making elements, keeping keys, following what the kernel says. */
/** A new element with properties and children. */
export const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
/** Keys pressed in here are not the notebook's shortcuts; saving still is. */
export const keepKeys = root => root.addEventListener("keydown", event => {
  if (!((event.ctrlKey || event.metaKey) && event.key === "s")) event.stopPropagation();
});
/** Act when the model changes; returns how to end that. */
export const follow = (model, changes) => {
  Object.entries(changes).forEach(([change, act]) => model.on(change, act));
  return () => Object.entries(changes).forEach(([change, act]) => model.off(change, act));
};
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
/** Define an element that is made once, of what its settings say. */
export const define = (name, make) => customElements.get(name) || customElements.define(name, class extends HTMLElement {
  connectedCallback() {
    this.made ??= make(this, JSON.parse(this.dataset.settings));
  }
});
