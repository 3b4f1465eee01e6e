// Turns a list of <details> into a player: one frame at a time, with a slider and buttons. It may ask before it shows one.
(script => {
  // Where scripts run elsewhere in the page, the player is the first that holds one: what is not trusted has lost its own.
  const root = script?.closest(".sl-frames") ?? document.querySelector(".sl-frames:not(.sl-live):has(> script)");
  if (!root || root.classList.contains("sl-live")) return;
  const frames = [...root.querySelectorAll(":scope > .sl-stack > details")];
  const last = frames.length - 1;
  const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
  const controls = make("div", { className: "sl-controls", innerHTML: `<button type="button">Play</button><button type="button">Previous</button>
    <button type="button">Next</button><input type="range" min="0" max="${last}" aria-label="Step"><div class="sl-label" aria-live="polite"></div>` });
  const [play, previous, next, slider, label] = controls.children;
  const show = step => {
    const before = root.querySelector(".sl-now"), now = frames[step];
    slider.value = step;
    slider.setAttribute("aria-valuetext", `${step} of ${last}`);
    label.textContent = `${step} of ${last}. ${now.querySelector("summary").textContent.replace(/^\d+\. /, "")}`;
    frames.forEach(frame => frame.classList.toggle("sl-now", frame === now));
    // Not `disabled`: a disabled button loses the focus, and the next key would reach the notebook.
    previous.setAttribute("aria-disabled", step === 0);
    next.setAttribute("aria-disabled", step === last);
    if (before && before !== now) glide(before, now);
  };
  let playing;
  const go = (by, plays = false) => {                       // by hand, or again and again
    clearTimeout(playing);
    show(Math.min(last, Math.max(0, slider.valueAsNumber + by)));
    playing = plays && slider.valueAsNumber < last && root.isConnected && setTimeout(go, 1500, 1, true);
    play.textContent = playing ? "Pause" : "Play";
  };
  play.onclick = () => go(slider.valueAsNumber === last ? -last : 0, !playing);
  previous.onclick = () => go(-1);
  next.onclick = () => go(1);
  slider.oninput = () => go(0);
  // Keys pressed in here are not the notebook's shortcuts; saving still is.
  root.addEventListener("keydown", event => ((event.ctrlKey || event.metaKey) && event.key === "s") || event.stopPropagation());
  // Tokens and bars by their row, and by the letters before them, of which ## is none.
  const places = frame => [...frame.querySelectorAll("tr, p:has(.sl-token)")].flatMap((row, number) => {
    const name = row.cells?.[0].textContent ?? number;
    let at = 0;
    return [...row.querySelectorAll(".sl-token, .sl-bar")].filter(part => part.checkVisibility()).map(part => {
      const { x, y, width } = part.getBoundingClientRect(), isBar = part.matches(".sl-bar"), place = { part, isBar, x, y, width };
      place.key = `${name} ${isBar} ${at}`;
      at += part.textContent.replace(/^##(?=.)/, "").length;
      return place;
    });
  });
  // They glide from where they stood in the frame before; what is new fades in.
  const glide = (before, now) => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const old = new Map(places(before).map(place => [place.key, place]));
    for (const { part, isBar, x, y, key } of places(now).slice(0, 300)) {
      const was = old.get(key), moved = was && (isBar ? { width: `${was.width}px` } : { transform: `translate(${was.x - x}px, ${was.y - y}px)` });
      part.animate([moved ?? { opacity: 0 }, {}], { duration: 300, easing: "ease-out" });
    }
  };
  // A guess is answered with what stands at its button; a right one opens the frame.
  root.querySelectorAll("script.sl-ask").forEach(question => {
    const ask = make("div", { className: question.className, innerHTML: question.textContent }), plain = text => text.replace(/[\s,+|]+/g, "");
    const said = make("p", { className: "sl-reply", role: "status" });
    const guess = button => {
      said.textContent = button?.dataset.reply ?? "That is none of these: look again.";
      if (button?.matches("[data-right]")) open();
    };
    const open = () => {
      ask.closest("details").classList.add("sl-answered");
      next.focus();
    };
    question.replaceWith(ask, said);
    ask.querySelector("[data-show]").onclick = open;
    ask.querySelectorAll("[data-name]").forEach(button => { button.onclick = () => guess(button); });
    ask.onchange = ({ target }) => guess([...ask.querySelectorAll("[data-name]")].find(button => plain(button.dataset.name) === plain(target.value)));
    root.classList.add("sl-asking");
  });
  frames.forEach(frame => { frame.open = true; });
  if (root.classList.contains("sl-asking")) play.remove();
  root.querySelector(":scope > .sl-stack").before(controls);
  root.classList.add("sl-live");
  show(0);
})(document.currentScript);
