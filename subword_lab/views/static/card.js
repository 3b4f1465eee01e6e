import CARD from "./card.html";
import { follow, keepKeys, make } from "./widget.js";
// Draws an exercise from the trait `shown`, and sends what is pressed, with the answer as it stands at that moment.
// What is typed outlives the card: a cell that is run again, a page that is loaded again.
const kept = {
  at: key => `subword-lab/${key}`,
  read(key) { try { return sessionStorage.getItem(kept.at(key)) ?? ""; } catch { return ""; } },
  write(key, text) { try { sessionStorage.setItem(kept.at(key), text); } catch { /* this page keeps nothing */ } },
};
// A field for the answer: its element, and a way to read and to write it.
const fields = {
  none: shown => ({ element: make("p", { innerHTML: shown.form }), read: () => "", write() {} }),
  code(shown, changed) {
    const area = make("textarea", { value: shown.form, rows: 8, spellcheck: false, autocapitalize: "off", oninput: changed });
    area.addEventListener("keydown", event => {             // a new line begins where the one before it does
      const before = area.value.slice(0, area.selectionStart).split("\n").pop();
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      const indent = before.match(/^ */)[0] + (/:\s*$/.test(before) ? "    " : "");
      area.setRangeText(`\n${indent}`, area.selectionStart, area.selectionEnd, "end");
      changed();
    });
    return {
      element: make("label", {}, make("span", { className: "sl-name", textContent: "Your code" }), area),
      read: () => area.value,
      write: text => { area.value = text || shown.form; },
    };
  },
  choice(shown, changed) {
    const name = `answer-${Math.random()}`;
    const radios = shown.items.map((_, i) =>
      make("input", { type: "radio", name, value: String.fromCharCode(97 + i), onchange: changed }));
    const options = shown.items.map((item, i) => make("label", { className: "sl-option" }, radios[i],
      make("b", { textContent: `${radios[i].value}.` }), make("span", { innerHTML: item })));
    return {
      element: make("fieldset", {}, make("legend", { textContent: "Your answer" }), ...options),
      read: () => radios.find(radio => radio.checked)?.value ?? "",
      write: text => radios.forEach(radio => { radio.checked = radio.value === text; }),
    };
  },
  text(shown, changed, more = []) {
    const id = `form-${Math.random()}`;
    const input = make("input", { type: "text", autocomplete: "off", spellcheck: false, autocapitalize: "off",
      oninput: changed, oncontextmenu: event => event.stopPropagation() });
    input.setAttribute("aria-describedby", id);
    const label = make("label", {}, make("span", { className: "sl-name", textContent: "Your answer" }), input);
    return {
      element: make("div", {}, label, make("div", { className: "sl-small", id, textContent: `In this form: ${shown.form}` }), ...more),
      read: () => input.value,
      write: text => { input.value = text; },
    };
  },
  order(shown, changed) {                                   // an item that is pressed joins the order, or leaves it
    const letters = () => field.read().split(/[\s,>]+/).filter(Boolean);
    const press = ({ currentTarget: item }) => {
      const others = letters().filter(letter => letter !== item.value);
      field.write((others.length < letters().length ? others : [...others, item.value]).join(" "));
      mark();
      item.focus();                                         // which it has lost where it moved
      changed();
    };
    const items = shown.items.map((item, i) => make("button", { type: "button", value: String.fromCharCode(97 + i),
      innerHTML: `<b>${String.fromCharCode(97 + i)}.</b> ${item}`, onclick: press }));
    const row = make("div", { className: "sl-row" }, ...items);
    const mark = () => {                                    // what is in the order stands in front, as it is ordered
      const order = letters(), place = item => order.indexOf(item.value) + 1 || items.length + 1;
      items.forEach(item => item.setAttribute("aria-pressed", order.includes(item.value)));
      row.append(...[...items].sort((one, other) => place(one) - place(other)));
    };
    const field = fields.text(shown, () => { mark(); changed(); }, [row]);
    return { ...field, write: text => { field.write(text); mark(); } };
  },
  cut(shown, changed) {                                     // with a mouse, the word can be cut between two letters
    const letters = [...(shown.items[0] ?? "")];
    if (letters.length > 30 || /\p{M}|[|\s]/u.test(letters.join(""))) return fields.text(shown, changed);
    const press = ({ currentTarget: gap }) => {
      gap.classList.toggle("sl-on");
      field.write(letters.map((letter, i) => letter + (gaps[i] && isCut(gaps[i]) ? "|" : "")).join(""));
      changed();
    };
    const gaps = letters.slice(1).map(() =>
      make("button", { type: "button", tabIndex: -1, title: "cut here", onclick: press }));
    const strip = make("div", { className: "sl-cut" }, letters[0], ...gaps.flatMap((gap, i) => [gap, letters[i + 1]]));
    strip.setAttribute("aria-hidden", "true");              // the text field says and does the same
    const isCut = gap => gap.classList.contains("sl-on");
    const follow = () => {
      const pieces = field.read().split(/[|\s]+/).filter(Boolean);
      const whole = pieces.join("") === letters.join("");
      const ends = new Set(pieces.map((_, i) => [...pieces.slice(0, i + 1).join("")].length));
      gaps.forEach((gap, i) => gap.classList.toggle("sl-on", whole && ends.has(i + 1)));
    };
    const field = fields.text(shown, () => { follow(); changed(); }, [strip]);
    return { ...field, write: text => { field.write(text); follow(); } };
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
      const wait = () => tell("Waiting for the notebook's kernel. It may be busy with another cell. If it was restarted, run this cell again.");
      const end = () => {
        root.classList.add("sl-ended");
        tell("Run this cell again to go on: the notebook's kernel was restarted or has ended.");
      };
      const ask = what => {
        if (what === "hint" && hint.getAttribute("aria-disabled") === "true") return;
        clearTimeout(waiting);
        waiting = setTimeout(wait, 1500);
        try {
          model.send({ do: what, turn: shown.turn, key: shown.key, answer: field.read() });
        } catch {
          clearTimeout(waiting);
          end();
        }
      };
      const keep = () => kept.write(shown.key, typed[shown.key] = field.read());
      const drawQuestion = () => {
        header.hidden = question.hidden = place.hidden = buttons.hidden = !shown.key;      // at the end of a deck
        root.setAttribute("aria-label", shown.key ? `Exercise ${shown.id}: ${shown.title}` : "Practice");
        title.textContent = `${shown.id} · ${shown.title}`;
        about.textContent = shown.about;
        question.innerHTML = shown.question;
        field = fields[shown.field](shown, keep);
        field.write(typed[shown.key] ?? kept.read(shown.key));
        place.replaceChildren(field.element);
        check.hidden = shown.field === "none";
      };
      const drawFeedback = () => {
        const said = shown.feedback;
        if (!said) return told.replaceChildren();
        const box = make("div", { className: `sl-told sl-is-${said.tone}` }, make("b", {}, `${said.symbol} ${said.word}`), make("div", { innerHTML: said.message }));
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
        if (before?.key !== shown.key) {
          drawQuestion();
          noted.replaceChildren();
        }
        if (before?.reply === shown.reply) return;
        clearTimeout(waiting);
        drawFeedback();
        drawNotes();
        if (before && before.key !== shown.key && !shown.feedback) tell(before.id === shown.id ? "New figures." : "");
      };
      keepKeys(root);
      root.addEventListener("keydown", event => {
        if (event.key === "Enter" && event.target.tagName === "INPUT" && !event.isComposing) {
          event.preventDefault();
          ask("check");
        }
      });
      draw();
      el.append(root);
      return follow(model, { "change:shown": draw, comm_live_update: end });     // once alive, it only ever ends
    },
  };
};
