// Draws a playground: its controls, and the regions of HTML that the kernel makes of their values. It computes nothing.
const LONG = 20000;                                       // characters; a longer text is sent when the typing pauses
// One control: its element, and a way to read, to write and to change it. `send` says that its value is another.
const controls = {
  area: (control, send) => typed(make("textarea", { rows: control.rows ?? 4 }), control, send),
  text: (control, send) => typed(make("input", { type: "text" }), control, send),
  select(control, send) {
    const field = make("select", { onchange: send });
    const change = ({ options }) => {
      if (!options) return;
      const { value } = field;
      field.replaceChildren(...options.map(([value, name]) => make("option", { value, textContent: name })));
      field.value = value;
    };
    change(control);
    return { element: labeled(control, field), read: () => field.value, write: value => { field.value = value; }, change };
  },
  range(control, send) {
    const field = make("input", { type: "range" });
    const told = make("output");
    const tell = () => { told.textContent = field.value; };
    const change = ({ min, max, step }) => {
      Object.entries({ min, max, step }).forEach(([name, value]) => value !== undefined && (field[name] = value));
      tell();
    };
    field.oninput = () => { tell(); send(); };
    change(control);
    return { element: labeled(control, field, told), read: () => field.valueAsNumber,
      write: value => { field.value = value; tell(); }, change };
  },
  number(control, send) {
    const field = make("input", { type: "number", min: control.min, step: control.step, oninput: send });
    return { element: labeled(control, field), read: () => field.valueAsNumber || 0, write: value => { field.value = value; } };
  },
  check(control, send) {
    const field = make("input", { type: "checkbox", onchange: send });
    return { element: make("label", { className: "sl-checked" }, field, control.label),
      read: () => field.checked, write: value => { field.checked = value; } };
  },
};
const labeled = ({ label }, ...parts) =>
  make("label", { className: "sl-field" }, make("span", { className: "sl-name", textContent: label }), ...parts);
function typed(field, control, send) {
  let waiting;
  Object.assign(field, { autocomplete: "off", spellcheck: false, autocapitalize: "off", dir: "auto" });
  field.oninput = () => {
    clearTimeout(waiting);
    if (field.value.length > LONG) waiting = setTimeout(send, 300);
    else send();
  };
  field.oncontextmenu = event => event.stopPropagation();
  const element = labeled(control, field);
  element.classList.add("sl-wide");
  return { element, field, read: () => field.value, write: value => { if (field.value !== value) field.value = value; } };
}
export default {
  render({ model, el }) {
    const fields = {}, regions = {};
    const root = make("div", { className: "sl-play mathjax_ignore" });
    const form = make("div", { className: "sl-form" });
    const status = make("p", { className: "sl-status" });
    const aloud = make("div", { className: "sl-aloud", role: "status" });             // says the status when the typing pauses
    const body = make("div");
    let waiting, ended = false;
    const tell = text => { status.textContent = text; };
    const attempt = action => {
      try { action(); } catch { end(); }
    };
    const send = () => attempt(() => {
      const values = { ...model.get("values") };
      Object.entries(fields).forEach(([name, field]) => { values[name] = field.read(); });
      if (fields[model.get("follows")]) values.caret = fields[model.get("follows")].field.selectionStart;
      model.set("values", values);
      model.save_changes();
    });
    const end = () => {
      ended = true;
      root.classList.add("sl-ended");
      tell("Run this cell again to go on: the notebook's kernel was restarted or has ended.");
    };
    const keyed = key => key && body.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const drawRegion = (name, html) => {
      const region = regions[name] ?? body.appendChild(make("div", { className: `sl-region sl-in-${name}` }));
      regions[name] = region;
      if (region.drawn === html) return;
      const focus = region.contains(document.activeElement) ? document.activeElement : null;
      region.drawn = html;
      region.innerHTML = html;
      if (focus) (keyed(focus.dataset.key) ?? region.querySelector("button, [tabindex='0']") ?? form.querySelector("input, textarea, select")).focus();
    };
    const draw = () => {
      const shown = model.get("shown");
      Object.entries(shown.controls ?? {}).forEach(([name, changes]) => fields[name]?.change?.(changes));
      Object.keys({ ...regions, ...shown.regions }).forEach(name => drawRegion(name, shown.regions[name] ?? ""));
      rove();
      if (ended) return;
      tell(shown.status);
      root.classList.toggle("sl-wrong", Boolean(shown.wrong));
      clearTimeout(waiting);
      waiting = setTimeout(() => { aloud.textContent = shown.status; }, 700);
    };
    const write = () => Object.entries(model.get("values")).forEach(([name, value]) => {
      if (fields[name] && fields[name].element.querySelector(":focus") === null) fields[name].write(value);
    });
    // What stands for the same characters lights up together; of such parts one at a time takes the focus, by arrow keys.
    const rove = () => {
      body.querySelectorAll("[data-span]:not([tabindex])").forEach(part => { part.tabIndex = -1; });
      const first = body.querySelector("[data-span]");
      if (first && !body.querySelector("[data-span][tabindex='0']")) first.tabIndex = 0;
    };
    const light = part => {
      const [start, end] = (part?.dataset.span ?? "-1 -1").split(" ").map(Number);
      body.querySelectorAll("[data-span]").forEach(other => {
        const [from, to] = other.dataset.span.split(" ").map(Number);
        other.classList.toggle("sl-linked", from < end && start < to);
      });
    };
    body.addEventListener("pointerover", event => light(event.target.closest("[data-span]")));
    body.addEventListener("pointerleave", () => light(null));
    body.addEventListener("focusin", event => light(event.target.closest("[data-span]")));
    body.addEventListener("focusout", () => light(null));
    const walk = event => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const here = event.target.closest("[data-span]");
      if (!by || !here) return;
      event.preventDefault();
      const all = [...body.querySelectorAll("[data-span]")];
      const next = all[all.indexOf(here) + by];
      if (!next) return;
      here.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    };
    body.addEventListener("click", event => {
      const pressed = event.target.closest("[data-do]");
      if (pressed) attempt(() => model.send({ do: pressed.dataset.do, value: pressed.dataset.value }));
    });
    keepKeys(root);
    root.addEventListener("keydown", walk);
    const title = model.get("title");
    Object.assign(root, { role: "group", ariaLabel: title });
    const heading = make("div", { className: "sl-title", textContent: title, role: "heading", ariaLevel: 2 });
    model.get("controls").forEach(control => {
      fields[control.name] = controls[control.kind](control, send);
      form.append(fields[control.name].element);
    });
    write();
    const followed = fields[model.get("follows")];
    if (followed) followed.field.onselectionchange = followed.field.onkeyup = followed.field.onclick = () => {
      if (followed.field.selectionStart !== model.get("values").caret) send();
    };
    root.append(heading, form, status, body, aloud);
    draw();
    el.append(root);
    return follow(model, { "change:shown": draw, "change:values": write, comm_live_update: end });   // once alive, it only ever ends
  },
};
