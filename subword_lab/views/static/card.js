import CARD from "./card.html";
import ANSWER from "./answer.html";
import { follow, keepKeys, make } from "./widget.js";
// Draws an exercise from the trait `shown`, and sends what is pressed, with the answer as it stands at that moment.
// What is typed outlives the card: a cell that is run again, a page that is loaded again.
const kept = {
  at: key => `subword-lab/${key}`,
  read(key) { try { return sessionStorage.getItem(kept.at(key)) ?? ""; } catch { return ""; } },
  write(key, text) { try { sessionStorage.setItem(kept.at(key), text); } catch { /* this page keeps nothing */ } },
};
const WAITING = "Waiting for the notebook's kernel. It may be busy with another cell. If it was restarted, run this cell again.";
const letterOf = i => String.fromCharCode(97 + i);
const typedInto = field => field.dispatchEvent(new Event("input", { bubbles: true }));
// A field for the answer: its element, and a way to read and to write it.
const fields = {
  none: shown => ({ element: make("p", { innerHTML: shown.form }), read: () => "", write() {} }),
  code(shown) {
    const area = make("textarea", { rows: 8, spellcheck: false, autocapitalize: "off" });
    area.onkeydown = event => {                             // a new line begins where the one before it does
      const before = area.value.slice(0, area.selectionStart).split("\n").pop();
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      const indent = before.match(/^ */)[0] + (/:\s*$/.test(before) ? "    " : "");
      area.setRangeText(`\n${indent}`, area.selectionStart, area.selectionEnd, "end");
      typedInto(area);
    };
    const element = make("label", { innerHTML: '<span class="sl-name">Your code</span>' }, area);
    return { element, read: () => area.value, write: text => { area.value = text || shown.form; } };
  },
  choice(shown) {
    const name = `answer-${Math.random()}`, options = shown.items.map((item, i) => `<label class="sl-option">
      <input type="radio" name="${name}" value="${letterOf(i)}"><b>${letterOf(i)}.</b><span>${item}</span></label>`);
    const element = make("fieldset", { innerHTML: `<legend>Your answer</legend>${options.join("")}` });
    const radios = [...element.querySelectorAll(`[name="${name}"]`)];
    return {
      element,
      read: () => radios.find(radio => radio.checked)?.value ?? "",
      write: text => radios.forEach(radio => { radio.checked = radio.value === text; }),
    };
  },
  text(shown) {
    const element = make("div", { innerHTML: ANSWER }), input = element.querySelector("input"), form = element.lastElementChild;
    form.textContent = `In this form: ${shown.form}`;
    form.id = `form-${Math.random()}`;
    input.setAttribute("aria-describedby", form.id);
    return { element, input, read: () => input.value, write(text) { input.value = text; element.oninput?.(); } };
  },
  order(shown) {                                            // an item that is pressed joins the order, or leaves it
    const field = fields.text(shown), { element, input } = field, order = () => input.value.split(/[\s,>]+/).filter(Boolean);
    const buttons = shown.items.map((item, i) => `<button type="button" value="${letterOf(i)}"><b>${letterOf(i)}.</b> ${item}</button>`);
    const row = element.appendChild(make("div", { className: "sl-row", innerHTML: buttons.join("") })), items = [...row.children];
    row.onclick = ({ target }) => {
      const item = target.closest("button"), others = order().filter(letter => letter !== item?.value);
      if (!item) return;
      input.value = (others.length < order().length ? others : [...others, item.value]).join(" ");
      typedInto(input);
      item.focus();                                         // which it has lost where it moved
    };
    element.oninput = () => {                               // what is in the order stands in front, as it is ordered
      const place = item => order().indexOf(item.value) + 1 || items.length + 1;
      items.forEach(item => item.setAttribute("aria-pressed", order().includes(item.value)));
      row.append(...items.toSorted((one, other) => place(one) - place(other)));
    };
    return field;
  },
  cut(shown) {                                              // with a mouse, the word can be cut between two letters
    const letters = [...(shown.items[0] ?? "")], field = fields.text(shown), { element, input } = field;
    if (letters.length > 30 || /\p{M}|[|\s]/u.test(letters.join(""))) return field;
    const gaps = letters.slice(1).map(() => make("button", { type: "button", tabIndex: -1, title: "cut here" }));
    const strip = make("div", { className: "sl-cut", ariaHidden: "true" }, letters[0], ...gaps.flatMap((gap, i) => [gap, letters[i + 1]]));
    element.append(strip);                                  // hidden, for the text field says and does the same
    strip.onclick = ({ target: gap }) => {
      if (!gaps.includes(gap)) return;
      gap.classList.toggle("sl-on");
      input.value = letters.map((letter, i) => letter + (gaps[i]?.matches(".sl-on") ? "|" : "")).join("");
      typedInto(input);
    };
    element.oninput = () => {
      const pieces = input.value.split(/[|\s]+/).filter(Boolean), whole = pieces.join("") === letters.join("");
      const ends = new Set(pieces.map((_, i) => [...pieces.slice(0, i + 1).join("")].length));
      gaps.forEach((gap, i) => gap.classList.toggle("sl-on", whole && ends.has(i + 1)));
    };
    return field;
  },
};
export default () => {
  const typed = {};                                         // this card's own, by question: two cards may differ
  return {
    render({ model, el }) {
      let shown, field, waiting;
      const root = make("div", { className: "sl-card", role: "group", innerHTML: CARD });
      const [deck, header, question, place, buttons, told, noted] = root.children;
      const [title, about, standing] = header.children, [check, hint, , , next] = buttons.children;
      for (const button of buttons.children) button.onclick = () => ask(button.value);
      const tell = text => told.replaceChildren(make("p", { className: "sl-small", textContent: text }));
      const end = () => {
        root.classList.add("sl-ended");
        tell("Run this cell again to go on: the notebook's kernel was restarted or has ended.");
      };
      const ask = what => {
        if (what === "hint" && hint.getAttribute("aria-disabled") === "true") return;
        clearTimeout(waiting);
        waiting = setTimeout(tell, 1500, WAITING);
        try {
          model.send({ do: what, turn: shown.turn, key: shown.key, answer: field.read() });
        } catch {
          clearTimeout(waiting);
          end();
        }
      };
      place.oninput = () => kept.write(shown.key, typed[shown.key] = field.read());
      const drawQuestion = () => {
        header.hidden = question.hidden = place.hidden = buttons.hidden = !shown.key;      // at the end of a deck
        root.setAttribute("aria-label", shown.key ? `Exercise ${shown.id}: ${shown.title}` : "Practice");
        title.textContent = `${shown.id} · ${shown.title}`;
        about.textContent = shown.about;
        question.innerHTML = shown.question;
        field = fields[shown.field](shown);
        field.write(typed[shown.key] ?? kept.read(shown.key));
        place.replaceChildren(field.element);
        check.hidden = shown.field === "none";
        noted.replaceChildren();
      };
      const drawFeedback = () => {
        const said = shown.feedback;
        if (!said) return told.replaceChildren();
        const html = `<b>${said.symbol} ${said.word}</b><div>${said.message}</div>`;
        const box = make("div", { className: `sl-told sl-is-${said.tone}`, innerHTML: html });
        if (said.details) box.append(make("details", { innerHTML: `<summary>Details</summary><div>${said.details}</div>` }));
        if (said.note) box.append(make("p", { textContent: said.note }));
        told.replaceChildren(box);
        if (said.tone === "good") kept.write(shown.key, "");
      };
      const drawNotes = () => {
        const titles = shown.notes.map(note => note.title), titleOf = note => note.firstChild.textContent;
        [...noted.children].filter(note => !titles.includes(titleOf(note))).forEach(note => note.remove());
        const fresh = shown.notes.filter(note => ![...noted.children].some(old => titleOf(old) === note.title));
        noted.append(...fresh.map(({ title, html }) =>
          make("div", { className: "sl-noted sl-is-note" }, make("b", { textContent: title }), make("div", { innerHTML: html }))));
        hint.setAttribute("aria-disabled", titles.filter(title => title.startsWith("Hint")).length >= shown.hints);
      };
      const draw = () => {
        const before = shown;
        shown = model.get("shown");
        standing.textContent = shown.standing;
        deck.textContent = shown.deck ? `Practice: ${shown.deck}` : "";
        next.hidden = !shown.deck;
        if (before?.key !== shown.key) drawQuestion();
        if (before?.reply === shown.reply) return;
        clearTimeout(waiting);
        drawFeedback();
        drawNotes();
        if (before && before.key !== shown.key && !shown.feedback) tell(before.id === shown.id ? "New figures." : "");
      };
      keepKeys(root);
      root.addEventListener("keydown", event => {
        if (event.key !== "Enter" || !event.target.matches("input") || event.isComposing) return;
        event.preventDefault();
        ask("check");
      });
      draw();
      el.append(root);
      return follow(model, { "change:shown": draw, comm_live_update: end });     // once alive, it only ever ends
    },
  };
};
