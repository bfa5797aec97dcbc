// A bar of sliders with named stops, switches and buttons.
// data: {label, controls: [{is: "slider", name, label, words, at, marked, help, link} | {is: "switch", name, label,
//   options, value} | {is: "button", name, words, icon, filled, disabled}]}

import { changed, el, paper, segments, setText, slider, throttled } from "../shared/paper.js";
import { icon } from "../shared/icons.js";
import { link } from "../shared/link.js";

const EVERY = 60; // ms between two values while a hand moves

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const [root, state] = paper(parentElement, "stops");
  state.count ??= 0;
  state.send = (name, value, done) => setStateValue("move", { name, value, done, count: ++state.count });
  state.press = (name) => setTriggerValue("press", name);
  if (changed(state, "shape",
    data.controls.map((c) => [c.is, c.name, c.label, c.options, c.is === "slider" && c.words.length, c.filled])))
    build(root, state, data);
  root.firstChild.setAttribute("aria-label", data.label);
  data.controls.forEach((control) => state.offers[control.name](control));
}

const MAKE = { slider: makeSlider, switch: makeSwitch, button: makeButton };

function build(root, state, data) {
  const focused = root.getRootNode().activeElement?.dataset?.value;
  state.offers = {};
  root.replaceChildren(el("div.panel.bar", { role: "toolbar" },
    ...data.controls.map((control) => MAKE[control.is](state, control))));
  if (focused) root.querySelector(`[data-value="${CSS.escape(focused)}"]`)?.focus();
}

function makeSlider(state, { name, label, words, help, link: linked }) {
  const tell = (stop) => linked && link(linked).set({ stop }); // components beside it follow before Python has heard
  const send = throttled((place, done) => state.send(name, place, done), EVERY);
  const marks = words.map(() => el("span"));
  let said = words;
  const show = (place) => marks.forEach((mark, i) => mark.classList.toggle("present", i === place));
  const part = slider({ label, min: 0, max: words.length - 1, step: 1, says: (place) => said[place],
    onmove: (place, done) => {
      show(place);
      tell(place);
      send(place, done);
    } });
  const ticks = el("div.ticks", { "aria-hidden": "true" }, ...marks);
  marks.forEach((mark, i) => { mark.style.left = `calc(9px + ${i / Math.max(words.length - 1, 1)} * (100% - 18px))`; });
  state.offers[name] = (control) => {
    said = control.words;
    marks.forEach((mark, i) => {
      setText(mark, control.words[i]);
      mark.classList.toggle("marked", control.marked.includes(i));
    });
    part.offer(control.at);
    show(Number(part.input.value));
    tell(Number(part.input.value));
  };
  const width = Math.max(120, Math.min(words.reduce((sum, word) => sum + 10 + 8 * word.length, 18), 420));
  const track = el("div.track", {}, part.input, ticks);
  track.style.width = `${width}px`;
  return el("div.slider", { title: help }, el("span.label", {}, label), track);
}

function makeSwitch(state, { name, label, options }) {
  const part = segments({ label: label || name, options, onchoose: (value) => {
    part.offer(value);
    state.send(name, value, true);
  } });
  state.offers[name] = (control) => part.offer(control.value);
  return el("div.switch", {}, label ? el("span.label", {}, label) : null, part.node);
}

function makeButton(state, { name, filled }) {
  const text = el("span");
  let drawn = "";
  const button = el(filled ? "button.filled"
    : "button.outlined", { type: "button", onclick: () => state.press(name), "data-value": name }, text);
  state.offers[name] = (control) => {
    setText(text, control.words);
    button.disabled = control.disabled;
    if (control.icon === drawn) return;
    drawn = control.icon;
    button.replaceChildren(...(drawn ? [icon(drawn)] : []), text);
  };
  return button;
}
