// Lets a player ask before it shows: a guess is answered with what stands at its button, a right one opens the frame.
(script => {
  const root = script?.closest(".sl-frames") ?? document.querySelector(".sl-frames:has(.sl-ask):not(.sl-asking)");
  if (!root || root.classList.contains("sl-asking")) return;
  root.classList.add("sl-asking");
  root.querySelectorAll("details").forEach(frame => {
    const question = frame.querySelector(".sl-ask");
    if (!question) return;
    const ask = Object.assign(document.createElement("div"), { className: question.className, innerHTML: question.textContent });
    question.replaceWith(ask);
    const said = Object.assign(document.createElement("p"), { className: "sl-reply" });
    said.setAttribute("role", "status");
    ask.after(said);
    const open = () => {
      const focused = ask.contains(document.activeElement);
      frame.classList.add("sl-answered");
      if (focused) root.querySelector(".sl-controls button:last-of-type").focus();
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
  });
})(document.currentScript);
