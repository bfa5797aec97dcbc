// Texts that a model generates, token by token; hovering a token shows its alternatives. Beside them is the
// distribution of the next token of the first text.

import { _, ngettext, pieces } from "../shared/messages.js";
import { conflated, deferWhileUnanswered, el, elements, placeOf, resizeList, rootOf, setText,
  wordSlider } from "../shared/component.js";
import { icon } from "../shared/icons.js";
import { placeOn } from "../shared/drawn.js";
import { line, spaced } from "../shared/typed.js";

export default function (/** @type {Component<"samples">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "samples");
  state.send = setTriggerValue;
  state.command = (what, value) => {
    state.typed.flush(); // send pending edits and moves first
    state.temperature.flush();
    return setTriggerValue(what, value);
  };
  if (!state.prompt) build(root, state, data);
  offer(state, data.controls);
  state.drawing = data.drawing;
  state.body.hidden = !data.drawing;
  if (data.drawing) {
    begin(state);
    if (data.drawing.bend) showDistribution(state, data.drawing.bend);
    state.next.hidden = !data.drawing.bend;
  }
}

function build(root, state, /** @type {Data<"samples">} */ data) {
  state.serial = data.controls.serial;
  state.typed = conflated((value) => state.send("prompt", value));
  state.prompt = line("prompt", { label: _("Prompt"), oninput: () => {
    state.serial += 1;
    state.typed({ text: state.prompt.value.toWellFormed(), serial: state.serial });
  }, onenter: () => state.command("write", true) });
  state.many = el("select",
    { "aria-label": _("Texts side by side"), title: _("Texts side by side"),
      onchange: () => state.command("texts", Number(state.many.value)) },
    ...Array.from({ length: data.controls.most },
      (one, i) => el("option", { value: i + 1 }, ngettext("{n} text", "{n} texts", i + 1, { n: i + 1 }))));
  state.greedy = el("input", { type: "checkbox",
    onchange: () => state.box.until(state.command("greedy", state.greedy.checked)) });
  state.box = deferWhileUnanswered((is) => { state.greedy.checked = is; });
  const { words, one } = data.controls.temperature;
  state.temperature = wordSlider({ label: _("Temperature"), words, output: el("b.turned"),
    onmove: (place) => state.send("temperature", place) });
  const mark = el("span.one", { style: `left: ${placeOf(one, words.length)}` }, "1");
  state.notice = el("p.notice", { role: "status" });
  Object.assign(state, elements({ says: "span.muted.small", columns: "div.columns" }));
  state.tip = el("div.tip", { role: "status", hidden: true });
  nextPanel(state);
  state.body = el("div.body", {}, el("div.head", {}, state.says), state.columns, state.next);
  root.replaceChildren(
    el("div.panel.controls", {},
      el("label.grow", {}, el("span.muted", {}, _("prompt")), state.prompt), state.many,
      el("button.filled", { onclick: () => state.command("write", true) }, icon("play"), _("Write")),
      el("div.temperature", {}, el("span", {}, _("temperature"), " ", state.temperature.output),
        el("div.slide", {}, state.temperature.input,
          el("div.ends.small.muted", {}, el("span", {}, words[0]), el("span", {}, words.at(-1))), mark)),
      el("label.greedy", {}, state.greedy, _("always the most probable"))),
    state.notice, state.body, state.tip);
  state.texts = [];
}

function offer(state, /** @type {SamplesControls} */ controls) {
  if (controls.serial >= state.serial && state.prompt.value !== controls.prompt) state.prompt.value = controls.prompt;
  state.many.value = controls.texts;
  state.box.offer(controls.greedy);
  state.temperature.offer(controls.temperature.at);
  state.temperature.output.classList.toggle("off", controls.greedy);
  setText(state.notice, controls.notice);
}

/** Reveal new tokens one after the other; texts that exist when the component is built are shown at once. */
function begin(/** @type {State<"samples">} */ state) {
  const { drawing } = state, first = state.number === undefined;
  if (state.number !== drawing.number || state.texts.length !== drawing.texts.length) {
    state.number = drawing.number;
    state.tip.hidden = true;
    state.texts = drawing.texts.map(({ seed }, i) => column(state, seed, i));
    state.columns.replaceChildren(...state.texts.map((text) => text.node));
    state.ahead = first ? drawing.texts[0].steps.length : 0;
    state.since = performance.now();
    if (first)
      state.texts.forEach((text, i) => { while (text.shown < drawing.texts[i].steps.length) reveal(state, i); });
  }
  setText(state.says, drawing.says);
  if (!state.running) tick(state);
}

function column(/** @type {State<"samples">} */ state, seed, i) {
  const label = _("Written text. Arrow keys show what else could have come."), mean = el("span.muted");
  const words = el("div.words", { dir: "auto", tabindex: 0, role: "group", "aria-label": label,
    onkeydown: (event) => keys(state, i, event), onblur: () => { state.tip.hidden = true; } },
  el("span.given", {}, ...spaced(state.prompt.value + state.drawing.joint)));
  const node = el("section.panel.text", { "aria-label": _("Text of seed {seed}", { seed }) }, words,
    el("div.small.foot", {}, el("span.muted", {}, _("seed {seed}", { seed })), mean));
  return { node, words, mean, shown: 0, at: -1 };
}

/** Arrow keys go from token to token. */
function keys(state, i, event) {
  const text = state.texts[i];
  const to = { ArrowLeft: text.at - 1, ArrowRight: text.at + 1, Home: 0, End: text.shown - 1 }[event.key];
  if (event.key === "Escape") state.tip.hidden = true;
  if (to === undefined || to < 0 || to >= text.shown) return;
  event.preventDefault();
  event.stopPropagation();
  text.at = to;
  showAlternatives(state, i, to, text.words.querySelectorAll(".token")[to]);
}

/** Reveal the next token of each text if it is due; two tokens if a text is more than half a second behind. */
function tick(/** @type {State<"samples">} */ state) {
  state.running = false;
  if (!state.body.isConnected || !state.drawing) return; // none: the newest prompt cannot be continued
  const { texts, rate, grows } = state.drawing;
  const waiting = texts.some(({ steps }, i) => state.texts[i].shown < steps.length);
  state.running = waiting || grows;
  if (!state.running) return;
  const due = state.ahead + ((performance.now() - state.since) / 1000) * rate;
  texts.forEach(({ steps }, i) => {
    const behind = Math.min(due, steps.length) - state.texts[i].shown;
    for (let n = behind > rate / 2 ? 2 : Math.min(Math.floor(behind), 1); n > 0; n--) reveal(state, i);
  });
  setTimeout(() => tick(state), 1000 / rate);
}

function reveal(/** @type {State<"samples">} */ state, i) {
  const { drawing } = state, text = state.texts[i], [token] = drawing.texts[i].steps[text.shown], at = text.shown;
  const raw = drawing.symbols[token][0];
  const node = el(`span.token${raw === "\n" ? ".break" : raw === "\t" ? ".tab" : ""}`, {}, raw);
  node.onpointerenter = () => showAlternatives(state, i, at, node);
  node.onpointerleave = () => { state.tip.hidden = true; };
  const joint = at && raw !== "\n" && text.last !== "\n" ? drawing.joint : "";
  text.words.append(joint, node);
  text.last = raw;
  text.shown += 1;
  text.words.scrollTop = text.words.scrollHeight;
  setText(text.mean, _("mean entropy {entropy} nats", { entropy: drawing.texts[i].mean }));
}

/** Show the alternatives to a token. */
function showAlternatives(/** @type {State<"samples">} */ state, i, at, node) {
  const { drawing } = state, [token, p, best, entropy] = drawing.texts[i].steps[at];
  const pairs = Array.from({ length: best.length / 2 }, (_, j) => [best[2 * j], best[2 * j + 1]]);
  if (!pairs.some(([other]) => other === token)) pairs.push([token, p]);
  state.tip.replaceChildren(...pairs.map(([other, chance]) =>
    bar(drawing.symbols[other][1], chance / 1e4, other === token ? ".came" : "")),
  el("div.small.muted", {}, _("entropy {entropy} nats", { entropy: (entropy / 100).toFixed(2) })));
  state.tip.hidden = false;
  const box = node.getBoundingClientRect(), home = state.tip.offsetParent, width = 210;
  const [left, bottom] = placeOn(home, box.left, box.bottom);
  state.tip.style.left = `${Math.max(0, Math.min(left, home.clientWidth - width))}px`;
  state.tip.style.top = `${bottom + 4}px`;
}

function bar(symbol, share, name = "") {
  return el(`div.option${name}`, {}, el("bdi", {}, symbol),
    el("div.track", {}, el("i", { style: `width: ${100 * share}%` })),
    el("span", {}, share < 0.0001 ? "<.0001" : share.toFixed(4)));
}

function nextPanel(state) {
  Object.assign(state, elements({ at: "b", plain: "span", bent: "span", most: "span", options: "div.options" }));
  state.next = el("section.panel.next", { "aria-label": _("The next choice of the first text") },
    el("div.title", {}, el("b", {}, _("The next choice"), " "), el("span.muted", {}, _("of the first text"))),
    el("div.key.small", {},
      el("span", {}, el("i.was"), ...pieces(_("at temperature 1: {entropy}"), { entropy: state.plain })),
      el("span", {}, el("i.is"), state.at, " ", state.bent)),
    state.options,
    el("div.small.muted", {}, ...pieces(
      _("Entropy is largest when all tokens are equally probable: {entropy} nats."), { entropy: state.most })));
}

function showDistribution(state, /** @type {BendDrawing} */ drawing) {
  setText(state.at, _("{at}:", { at: drawing.at }));
  setText(state.plain, _("entropy {entropy}", { entropy: drawing.plain_entropy }));
  setText(state.bent, _("entropy {entropy}", { entropy: drawing.entropy }));
  setText(state.most, drawing.highest);
  const made = () =>
    el("div.pair", {}, el("bdi"), el("div.both", {}, el("i.was"), el("i.is")), el("span.muted"), el("span"));
  resizeList(state.options, drawing.rows.length, made).forEach((node, i) => {
    const row = drawing.rows[i];
    setText(node.children[0], row.symbol);
    node.children[1].children[0].style.width = `${100 * row.plain[0]}%`;
    node.children[1].children[1].style.width = `${100 * row.bent[0]}%`;
    setText(node.children[2], row.plain[1]);
    setText(node.children[3], row.bent[1]);
  });
}
