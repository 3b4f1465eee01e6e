// Turns a list of <details> into a player: one frame at a time, with a slider and buttons. It may ask before it shows one.
(script => {
  const root = script?.closest(".sl-frames") ?? document.querySelector(".sl-frames:not(.sl-live)");
  if (!root || root.classList.contains("sl-live")) return;
  const frames = [...root.querySelectorAll(":scope > .sl-stack > details")];
  const last = frames.length - 1;
  const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
  const play = make("button", { type: "button", textContent: "Play" });
  const previous = make("button", { type: "button", textContent: "Previous" });
  const slider = make("input", { type: "range", min: 0, max: last, value: 0, ariaLabel: "Step" });
  const next = make("button", { type: "button", textContent: "Next" });
  const label = make("div", { className: "sl-label", ariaLive: "polite" });
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
  root.addEventListener("keydown", event => {
    if (!((event.ctrlKey || event.metaKey) && event.key === "s")) event.stopPropagation();
  });
  // A frame's rows, and in them tokens and bars, glide from where they stood in the frame before; what is new fades in.
  const seen = (place, what) => [...place.querySelectorAll(what)].filter(one => one.getClientRects().length);
  const name = (row, i) => row?.cells?.[0].textContent ?? row?.getAttribute("d") ?? i;
  const letters = token => token.textContent.replace(/^##(?=.)/, "");     // ## only says that a word goes on
  const glide = (before, now) => {
    if (seen(now, ".sl-token").length > 300 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const starts = ["tr", "p:has(.sl-token)", "path"].flatMap(what => {
      const rows = seen(before, what);
      return seen(now, what).flatMap((row, i) => {
        const old = name(rows[i], i) === name(row, i) ? rows[i] : rows.find((other, j) => name(other, j) === name(row, i));
        return old ? follow(old, row) : [[row, { opacity: 0 }]];
      });
    });
    starts.forEach(([one, from]) => one.animate([from, {}], { duration: 300, easing: "ease-out" }));
  };
  const follow = (...rows) => {
    // A token covers letters of its row; where a symbol stands for two, or did so, it covers their place.
    const tokens = rows.map(row => seen(row, ".sl-token")), units = rows.map(row => seen(row, ".sl-tokens > *"));
    const [text, now] = tokens.map(list => list.map(letters).join(""));
    const alike = text !== now && [[units[0], tokens[1]], [tokens[0], units[1]]].find(([was, is]) => was.length === is.length);
    const [was, is] = (alike || tokens).map((parts, i) => {
      const { x, y } = rows[i].getBoundingClientRect();
      let to = 0;
      return parts.map(part => {
        const box = part.getBoundingClientRect(), from = to;
        to += alike ? 1 : letters(part).length;
        return { part, from, to, left: box.x - x, width: box.width, top: box.y - y };
      });
    });
    const edge = (token, at) => token && token.left + token.width * (at - token.from) / (token.to - token.from);
    const glides = is.map(({ part, from, to, left, width, top }) => {
      const first = was.find(old => old.from <= from && from < old.to), x = edge(first, from);
      const wide = edge(was.find(old => old.from < to && to <= old.to), to) - x;
      if (!(wide > 0)) return [part, { opacity: 0 }];
      return [part, { transform: `translate(${x - left + (wide - width) / 2}px, ${first.top - top}px) scaleX(${wide / width})` }];
    });
    const [bars, grown] = rows.map(row => seen(row, ".sl-bar")), [from, to] = rows.map(row => row.getBoundingClientRect().y);
    grown.forEach((bar, i) => bars[i] && glides.push([bar, { width: `${bars[i].offsetWidth}px` }]));
    return [...glides, [rows[1], { transform: `translateY(${from - to}px)`, strokeWidth: getComputedStyle(rows[0]).strokeWidth }]];
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
      said.textContent = button ? button.dataset.reply : "That is none of these: look again.";
      if (button?.hasAttribute("data-right")) open();
    };
    ask.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button?.hasAttribute("data-show")) open();
      else if (button) guess(button);
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
  const controls = make("div", { className: "sl-controls" });
  controls.append(...root.classList.contains("sl-asking") ? [] : [play], previous, slider, next, label);
  root.querySelector(":scope > .sl-stack").before(controls);
  root.classList.add("sl-live");
  show(0);
})(document.currentScript);
