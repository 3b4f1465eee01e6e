// Turns a list of <details> into a player: one frame at a time, with a slider and two buttons.
(script => {
  const root = script?.closest(".sl-frames") ?? document.querySelector(".sl-frames:not(.sl-live)");
  if (!root || root.classList.contains("sl-live")) return;
  const frames = [...root.querySelectorAll(":scope > .sl-stack > details")];
  const last = frames.length - 1;
  const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
  const previous = make("button", { type: "button", textContent: "Previous" });
  const slider = make("input", { type: "range", min: 0, max: last, value: 0 });
  const next = make("button", { type: "button", textContent: "Next" });
  const label = make("div", { className: "sl-label" });
  slider.setAttribute("aria-label", "Step");
  label.setAttribute("aria-live", "polite");

  const show = step => {
    slider.value = step;
    slider.setAttribute("aria-valuetext", `${step} of ${last}`);
    label.textContent = `${step} of ${last}. ${frames[step].querySelector("summary").textContent.replace(/^\d+\. /, "")}`;
    frames.forEach((frame, number) => frame.classList.toggle("sl-now", number === step));
    // Not `disabled`: a disabled button loses the focus, and the next key would reach the notebook.
    previous.setAttribute("aria-disabled", step === 0);
    next.setAttribute("aria-disabled", step === last);
  };
  const move = by => show(Math.min(last, Math.max(0, slider.valueAsNumber + by)));

  previous.onclick = () => move(-1);
  next.onclick = () => move(1);
  slider.oninput = () => show(slider.valueAsNumber);
  // Keys pressed in here are not the notebook's shortcuts; saving still is.
  root.addEventListener("keydown", event => {
    if (!((event.ctrlKey || event.metaKey) && event.key === "s")) event.stopPropagation();
  });
  frames.forEach(frame => { frame.open = true; });
  const controls = make("div", { className: "sl-controls" });
  controls.append(previous, slider, next, label);
  root.querySelector(":scope > .sl-stack").before(controls);
  root.classList.add("sl-live");
  show(0);
})(document.currentScript);
