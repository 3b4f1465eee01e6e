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
