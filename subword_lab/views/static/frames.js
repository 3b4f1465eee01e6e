// Turns a list of <details> into a player: one frame at a time, with a slider and buttons. It may ask before it shows one.
(script => {
  const root = script?.closest(".sl-frames") ?? document.querySelector(".sl-frames:not(.sl-live)");
  if (!root || root.classList.contains("sl-live")) return;
  const frames = [...root.querySelectorAll(":scope > .sl-stack > details")];
  const last = frames.length - 1;
  const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
  const controls = make("div", { className: "sl-controls", innerHTML: `<button type="button">Play</button><button type="button">Previous</button>
    <input type="range" min="0" max="${last}" aria-label="Step"><button type="button">Next</button><div class="sl-label" aria-live="polite"></div>` });
  const [play, previous, slider, next, label] = controls.children;
  const show = step => {
    const before = root.querySelector(".sl-now");
    slider.value = step;
    slider.setAttribute("aria-valuetext", `${step} of ${last}`);
    label.textContent = `${step} of ${last}. ${frames[step].querySelector("summary").textContent.replace(/^\d+\. /, "")}`;
    frames.forEach((frame, number) => frame.classList.toggle("sl-now", number === step));
    // Not `disabled`: a disabled button loses the focus, and the next key would reach the notebook.
    previous.setAttribute("aria-disabled", step === 0);
    next.setAttribute("aria-disabled", step === last);
    if (before && before !== frames[step]) glide(before, frames[step]);
  };
  const move = by => show(Math.min(last, Math.max(0, slider.valueAsNumber + by)));
  let playing;
  const pause = () => { playing = clearInterval(playing); play.textContent = "Play"; };
  const start = () => {
    if (slider.valueAsNumber === last) show(0);
    play.textContent = "Pause";
    playing = setInterval(() => slider.valueAsNumber < last && root.isConnected ? move(1) : pause(), 1500);
  };
  play.onclick = () => playing ? pause() : start();
  previous.onclick = () => { pause(); move(-1); };
  next.onclick = () => { pause(); move(1); };
  slider.oninput = () => { pause(); show(slider.valueAsNumber); };
  // Keys pressed in here are not the notebook's shortcuts; saving still is.
  root.addEventListener("keydown", event => ((event.ctrlKey || event.metaKey) && event.key === "s") || event.stopPropagation());
  // Rows, and in them tokens and bars, glide from where they stood in the frame before; what is new fades in.
  const glide = (before, now) => {
    if (now.querySelectorAll(".sl-token").length > 300 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const seen = (place, what) => [...place.querySelectorAll(what)].filter(one => one.getClientRects().length);
    const rows = [before, now].map(frame => seen(frame, "tr, p:has(.sl-token)")), name = row => row?.cells?.[0].textContent ?? row?.rowIndex;
    const move = (one, from) => one.animate([from, {}], { duration: 300, easing: "ease-out" });
    rows[1].forEach((row, i) => {
      const old = [rows[0][i], ...rows[0]].find(other => name(other) === name(row));
      if (!old) return move(row, { opacity: 0 });
      // A token comes from where its first letter was; ## only says that a word goes on.
      const places = [old, row].map(each => {
        let at = 0;
        return seen(each, ".sl-token").map(part => {
          const { x, y } = part.getBoundingClientRect(), from = at;
          at += part.textContent.replace(/^##(?=.)/, "").length;
          return { part, x, y, from };
        });
      });
      for (const { part, x, y, from } of places[1]) {
        const was = places[0].findLast(token => token.from <= from);
        move(part, was ? { transform: `translate(${was.x - x}px, ${was.y - y}px)` } : { opacity: 0 });
      }
      const bars = seen(old, ".sl-bar");
      seen(row, ".sl-bar").forEach((bar, j) => bars[j] && move(bar, { width: `${bars[j].offsetWidth}px` }));
    });
  };
  // A guess is answered with what stands at its button; a right one opens the frame.
  root.querySelectorAll(".sl-ask").forEach(question => {
    const frame = question.closest("details");
    const ask = make("div", { className: question.className, innerHTML: question.textContent });
    const said = make("p", { className: "sl-reply", role: "status" });
    question.replaceWith(ask);
    ask.after(said);
    const open = () => {
      const focused = ask.contains(document.activeElement);
      frame.classList.add("sl-answered");
      if (focused) next.focus();
    };
    const guess = button => {
      said.textContent = button?.dataset.reply ?? "That is none of these: look again.";
      if (button?.matches("[data-right]")) open();
    };
    ask.addEventListener("click", ({ target }) => {
      if (target.closest("[data-show]")) open();
      else if (target.closest("[data-name]")) guess(target.closest("[data-name]"));
    });
    ask.querySelector("input").addEventListener("keydown", event => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();                             // else it would press the button that has the focus then
      const plain = text => text.replace(/[\s,+|]+/g, "");
      guess([...ask.querySelectorAll("[data-name]")].find(button => plain(button.dataset.name) === plain(event.target.value)));
    });
    root.classList.add("sl-asking");
  });
  frames.forEach(frame => { frame.open = true; });
  if (root.classList.contains("sl-asking")) play.remove();
  root.querySelector(":scope > .sl-stack").before(controls);
  root.classList.add("sl-live");
  show(0);
})(document.currentScript);
