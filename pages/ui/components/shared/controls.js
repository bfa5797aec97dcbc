// The controls that bars are made of. Each is {node, offer(control), release()}: `offer` sets it from Python, `release`
// ends the quiet after a move, in which an offer is passed over. `hears` is told: move(name, value, done) by a hand on
// a slider, choose(name, value) by a switch or a select, press(name) by a button.

import { el, segments, setText, slider, throttled, worded } from "./paper.js";
import { icon } from "./icons.js";
import { link } from "./link.js";

const EVERY = 60; // ms between two values while a hand moves a slider whose stops have names

const MAKE = { slider: stops, knob, switch: choice, select, button };

export const control = (data, hears) => ({ release() {}, ...MAKE[data.is](data, hears) });

/** What a control is built for: another shape is another control. */
export const shapeOf = (data) => [data.is, data.name, ...BUILT_FOR[data.is](data)];

const BUILT_FOR = {
  slider: ({ label, help, words }) => [label, help, words.length],
  knob: ({ label, help, words, ticks }) => [label, help, words.length, ticks],
  switch: ({ label, help, options }) => [label, help, options],
  select: ({ label, help, options }) => [label, help, options],
  button: ({ filled }) => [filled],
};

/** Where place `i` of `many` lies on a track, whose handle is 18 px wide. */
export const placeOf = (i, many) => `calc(9px + ${i / Math.max(many - 1, 1)} * (100% - 18px))`;

/** A slider with the name of every stop below its track. */
function stops({ name, label, words, help, link: linked }, { move }) {
  const tell = (stop) => linked && link(linked).set({ stop }); // components beside it follow before Python has heard
  const send = throttled((place, done) => move(name, place, done), EVERY);
  const marks = words.map(() => el("span"));
  let said = words;
  const show = (place) => marks.forEach((mark, i) => mark.classList.toggle("present", i === place));
  const onmove = (place, done) => {
    show(place);
    tell(place);
    send(place, done);
  };
  const part = slider({ label, max: words.length - 1, step: 1, says: (place) => said[place], onmove });
  marks.forEach((mark, i) => { mark.style.left = placeOf(i, words.length); });
  const offer = (data) => {
    said = data.words;
    marks.forEach((mark, i) => {
      setText(mark, said[i]);
      mark.classList.toggle("marked", data.marked.includes(i));
    });
    part.offer(data.at);
    show(Number(part.input.value));
    tell(Number(part.input.value));
  };
  const width = Math.max(120, Math.min(words.reduce((sum, word) => sum + 10 + 8 * word.length, 18), 420));
  const track = el("div.track", {}, part.input, el("div.ticks", { "aria-hidden": "true" }, ...marks));
  track.style.width = `${width}px`;
  return { node: el("div.slider", { title: help }, el("span.label", {}, label), track), offer, release: part.release };
}

/** A slider with its name and its present value above; where it has `ends`, ticks on its track and words below. */
function knob({ name, label, words, help, values, ends, ticks }, { move }) {
  let now = values;
  const part = worded({ label, words, onmove: (place, done) => move(name, now ? now[place] : place, done) });
  const marks = ticks.map((tick) => el("i", { style: `left:${(100 * tick) / (words.length - 1)}%` }));
  const track = el("span.track", {}, el("span.ticks", { "aria-hidden": "true" }, ...marks), part.input);
  const node = el(`label.knob.${name}`, { title: help }, el("span.head", {}, el("span", {}, label), part.said),
    ...(ends.length ? [track, el("span.ends.small.muted", {}, ...ends.map((end) => el("span", {}, end)))]
    : [part.input]));
  const offer = (data) => {
    now = data.values;
    part.offer(data.at, data.says, data.words);
  };
  return { node, offer, release: part.release };
}

function choice({ name, label, options, help }, { choose }) {
  const onchoose = (value) => {
    part.offer(value);
    choose(name, value);
  };
  const part = segments({ label: help || label || name, options, onchoose });
  const node = el("div.switch", {}, label ? el("span.label", {}, label) : null, part.node);
  return { node, offer: (data) => part.offer(data.value) };
}

function select({ name, label, options, help }, { choose }) {
  const node = el("select", { title: help, "aria-label": help, onchange: () => choose(name, node.value) },
    ...options.map(([value, words]) => el("option", { value }, words)));
  const offer = (data) => { node.value = String(data.value); };
  return { node: el("label.pick", {}, el("span.muted", {}, label), node), offer };
}

function button({ name, filled }, { press }) {
  const text = el("span");
  let drawn = "";
  const node = el(filled ? "button.filled" : "button.outlined",
    { type: "button", onclick: () => press(name), "data-value": name }, text);
  const offer = (data) => {
    setText(text, data.words);
    if (data.help) node.title = data.help;
    node.disabled = data.disabled;
    node.hidden = data.words === "";
    if (data.icon !== drawn) node.replaceChildren(...(data.icon ? [icon(data.icon)] : []), text);
    drawn = data.icon;
  };
  return { node, offer };
}
