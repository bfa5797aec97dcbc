// The controls of bars. Each is {node, offer(control), flush()}: `offer` sets it from Python, `flush` sends a move that
// waits for the answer to the previous one. Each of the `handlers` returns a promise of the answer: move(name, place,
// done) of a slider, type(name, text) of a typed value, choose(name, value) of a switch or a select, press(name) of a
// button.

import { _ } from "./messages.js";
import { el, placeOf, segments, setText, wordSlider } from "./component.js";
import { icon } from "./icons.js";
import { setTerms } from "./explain.js";
import { link } from "./link.js";

const EVERY = 60; // ms, at least, between two values while a slider whose stops have names is dragged
const SETTLED = 400; // ms between two values of a knob that acts only when it is released: each one starts a new run

const MAKE = { slider: stops, knob, switch: choice, select, button, title };

export const control = (/** @type {DrawnControl} */ data, handlers) =>
  ({ flush() {}, ...MAKE[data.is](data, handlers) });

/** The handlers of a bar's controls, which send a pending move before all else; `send(event, value)`: another event. */
export function messages(state, { setStateValue, setTriggerValue }) {
  const send = (event, value) => {
    Object.values(state.parts).forEach((part) => part.flush());
    return setTriggerValue(event, value);
  };
  return {
    send,
    move: (name, value, done) => setStateValue("move", { name, value, done }),
    choose: (name, value) => send("choose", { name, value }),
    press: (name) => send("press", name),
    type: (name, text) => send("type", { name, text }),
  };
}

/** The controls of a bar by name. One that has not changed keeps its node, and its focus. */
export function keptControls(before, /** @type {DrawnControl[]} */ controls, handlers) {
  const made = (one) => {
    const shape = JSON.stringify(shapeOf(one)), kept = before?.[one.name];
    return kept?.shape === shape ? kept : { ...control(one, handlers), shape };
  };
  return Object.fromEntries(controls.map((one) => [one.name, made(one)]));
}

const KEY_OF = { play: "play", pause: "play", undo: "undo" }; // icon of a button -> its keyboard shortcut

/** The properties for which a control is built; if they change, it is rebuilt. */
export const shapeOf = (/** @type {DrawnControl} */ data) => [data.is, data.name, ...BUILT_FOR[data.is](data)];

/** @type {Record<string, (data: DrawnControl) => any[]>} */
const BUILT_FOR = {
  slider: ({ label, help, words }) => [label, help, words.length],
  knob: ({ label, help, words, ticks, typed }) => [label, help, words.length, ticks, typed],
  switch: ({ label, help, options, about }) => [label, help, options, about],
  select: ({ label, help, options, about }) => [label, help, options, about],
  button: ({ filled }) => [filled],
  title: () => [],
};

/** A slider with the name of every stop below its track. */
function stops(/** @type {Stops} */ { name, label, words, help, link: linked }, { move }) {
  const marks = words.map((_, i) => el("span", { style: `left: ${placeOf(i, words.length)}` }));
  const show = (word, stop) => {
    marks.forEach((mark, i) => mark.classList.toggle("present", i === stop));
    if (linked) link(linked).set({ stop }); // components beside it follow before Python answers
  };
  const part = wordSlider({ label, words, show, every: EVERY, onmove: (place, done) => move(name, place, done) });
  part.input.dataset.do = name;
  const offer = (/** @type {Stops} */ data) => {
    marks.forEach((mark, i) => {
      setText(mark, data.words[i]);
      mark.classList.toggle("marked", data.marked.includes(i));
    });
    part.offer(data.at, "", data.words);
  };
  const width = Math.max(120, Math.min(words.reduce((sum, word) => sum + 10 + 8 * columns(word), 18), 420));
  const track = el("div.track", { style: `width: ${width}px` }, part.input,
    el("div.ticks", { "aria-hidden": "true" }, ...marks));
  return { node: el("div.slider", { title: help }, el("span.label", {}, label), track), offer, flush: part.flush };
}

/** How many letters wide a word is: a Chinese or Japanese character is as wide as two. */
const columns = (word) => [...word].reduce((sum, one) => sum + (one > "\u2e7f" ? 2 : 1), 0);

/** A slider below its name and value, which can be typed; with `ends`, it has ticks on its track and words beside
 * it. */
function knob(/** @type {Stops} */ { name, label, words, help, ends, ticks, typed, settles }, { move, type }) {
  const value = typed ? field(label, (text) => type(name, text)) : {};
  const part = wordSlider({ label, words, every: settles ? SETTLED : undefined, output: value.node, show: value.show,
    onmove: (place, done) => (done || !settles) && move(name, place, done) });
  const marks = ticks.map((tick) => el("i", { style: `left:${(100 * tick) / (words.length - 1)}%` }));
  const track = el("span.track", {}, el("span.ticks", { "aria-hidden": "true" }, ...marks), part.input);
  const remarks = remarksOn(label, help);
  const node = el(`div.knob.${name}`, {},
    el("span.head", {}, el("span", {}, setTerms(el("span"), label), remarks.ask), part.output),
    ...(ends.length ? [track, el("span.ends.small.muted", {}, ...ends.map((end) => el("span", {}, end)))]
    : [part.input]), remarks.node);
  const offer = (/** @type {Stops} */ data) => {
    part.offer(data.at, data.says, data.words);
    remarks.offer(data.error);
  };
  return { node, offer, flush: part.flush };
}

/** A text field for a value: Enter or blur sends the text; Escape restores the last value. */
function field(label, send) {
  const node = el("input.value", { type: "text", "aria-label": _("{label}: type a value", { label }),
    spellcheck: "false", autocomplete: "off" });
  let shown = "", typing = false;
  const back = () => {
    typing = false;
    node.value = shown;
  };
  node.onkeydown = (event) => {
    if (event.key === "Escape") back();
    if (event.key === "Enter") node.select();
  };
  node.onfocus = () => node.select();
  node.oninput = () => { typing = true; };
  node.onchange = () => {
    typing = false;
    if (node.value.trim() !== shown) send(node.value);
  };
  node.onblur = back;
  const show = (text) => {
    shown = text;
    if (!typing) node.value = text;
  };
  return { node, show };
}

/** A message below a control, over what follows: its help after a click on "?", or an error. */
function remarksOn(label, help) {
  const node = el("span.remark", { role: "status", hidden: true });
  let error = "", expanded = false;
  const show = () => {
    ask?.setAttribute("aria-expanded", String(expanded));
    setText(node, error || (expanded ? help : ""));
    node.classList.toggle("error", error !== "");
    node.hidden = node.textContent === "";
  };
  const toggle = (is) => {
    expanded = is;
    show();
  };
  const ask = help ? el("button.ask", { "aria-label": _("About {label}", { label }), title: help,
    onclick: () => toggle(!expanded), onblur: () => toggle(false) }, "?") : null;
  const offer = (sentence) => {
    error = sentence;
    show();
  };
  return { node, ask, offer };
}

function choice(/** @type {DrawnControl} */ { name, label, options, help, about }, { choose }) {
  const onchoose = (value) => {
    part.offer(value);
    choose(name, value);
  };
  const part = segments({ label: help || label || name, options, onchoose }), remarks = remarksOn(label, about);
  const node = el("div.switch", {}, label ? el("span.label", {}, label, remarks.ask) : null, part.node, remarks.node);
  return { node, offer: (/** @type {DrawnControl} */ data) => part.offer(data.value) };
}

function select(/** @type {DrawnControl} */ { name, label, options, help, about }, { choose }) {
  const node = el("select", { title: help, "aria-label": help || label, onchange: () => choose(name, node.value) },
    ...options.map(([value, words]) => el("option", { value }, words)));
  const offer = (/** @type {DrawnControl} */ data) => { node.value = String(data.value); };
  const remarks = remarksOn(label, about);
  return { node: el("div.pick", {}, el("span.muted", {}, label, remarks.ask), node, remarks.node), offer };
}

function title() {
  const name = el("b"), words = el("span.small.muted");
  const offer = (/** @type {DrawnControl} */ data) => {
    setText(name, data.label);
    setText(words, data.words);
  };
  return { node: el("div.title", {}, name, words), offer };
}

function button(/** @type {DrawnControl} */ { name, filled }, { press }) {
  const text = el("span");
  let drawn = "";
  const node = el(filled ? "button.filled" : "button.outlined",
    { onclick: () => press(name), "data-value": name }, text);
  const offer = (/** @type {DrawnControl} */ data) => {
    setText(text, data.words);
    if (data.help) node.title = data.help;
    node.disabled = data.disabled;
    node.hidden = data.words === "";
    if (data.icon in KEY_OF) node.dataset.key = KEY_OF[data.icon];
    else delete node.dataset.key;
    if (data.icon !== drawn) node.replaceChildren(...(data.icon ? [icon(data.icon)] : []), text);
    drawn = data.icon;
  };
  return { node, offer };
}
