// A prompt and several continuations, ranked by the model while it trains.

import { _, lazy_gettext } from "../shared/messages.js";
import { conflated, el, elements, resizeList, rootOf, segments, setText } from "../shared/component.js";
import { line, spaced } from "../shared/typed.js";

const SAYS = {
  total: lazy_gettext(
    "By the whole: −ln p adds up token by token, so a longer text is nearly always the less probable one."
  ),
  token: lazy_gettext(
    "Per token: texts of every length can be compared; its exponential is the perplexity of the continuation."
  ),
};
const NUMBERS = ["total", "chance", "token", "perplexity", "count"]; // the columns of a row
const KINDS = { character: lazy_gettext("characters"), word: lazy_gettext("words"), symbol: lazy_gettext("symbols") };

export default function (/** @type {Component<"continuations">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "continuations");
  state.send = setTriggerValue;
  if (!state.rows) build(root, state, data);
  if (data.serial < state.serial) return;
  if (state.prompt.value !== data.prompt) state.prompt.value = data.prompt;
  setText(state.notice, data.notice);
  state.drawing = data.drawing;
  state.table.hidden = !data.drawing;
  show(state);
}

function build(root, state, /** @type {Data<"continuations">} */ data) {
  state.serial = data.serial;
  const tell = conflated((event) => state.send("prompt", event));
  state.prompt = line("prompt", { label: _("The beginning"), oninput: () => {
    state.serial += 1;
    tell({ text: state.prompt.value.toWellFormed(), serial: state.serial });
  } });
  const add = () => {
    if (state.own.value.trim()) state.send("add", state.own.value.toWellFormed());
    state.own.value = "";
  };
  state.own = line("own",
    { label: _("A continuation of your own"), placeholder: _("one of your own"), onenter: add });
  state.by = "total";
  state.ways = segments({ label: _("Ranked by"),
    options: [["total", _("by the whole")], ["token", _("per token")]], onchoose: (by) => {
      state.by = by;
      show(state);
    } });
  state.notice = el("p.notice", { role: "status" });
  Object.assign(state, elements({ says: "p.says", key: "div.key.small", heads: "div.row.heads.small.muted" }));
  state.rows = el("div.rows", { role: "list" });
  state.table = el("div.table", {}, state.key, state.heads, state.rows, state.says);
  root.replaceChildren(
    el("div.panel.top", {}, el("label", {}, el("span.muted", {}, _("beginning")), state.prompt),
      el("span.add", {}, state.own, el("button.outlined", { onclick: add }, _("Add"))),
      state.ways.node),
    state.notice, state.table);
}

function show(/** @type {State<"continuations">} */ state) {
  const { drawing, by } = state;
  state.ways.offer(by);
  if (!drawing) return; // the prompt cannot be read
  const [model, beside] = drawing.names;
  setText(state.says, _(SAYS[by]));
  state.key.replaceChildren(el("i.bar"), el("b", {}, model), ...(beside ? [el("i.dash"), el("b", {}, beside)] : []),
    el("span.muted", {}, " ", by === "total" ? _("−ln p of the whole, nats") : _("−ln p per token, nats")));
  state.heads.replaceChildren(...["", "", "", _("whole"), _("probability"), _("per token"), _("perplexity"),
    _(KINDS[drawing.kind])].map((words) => el("span", {}, words)));
  resizeList(state.rows, drawing.rows.length, (i) => rowOf(state, i))
    .forEach((node, i) => fill(node, drawing.rows[i], by));
}

function rowOf(state, i) {
  const label = _("Take away"), onclick = () => state.send("remove", i);
  const remove = el("button.remove", { "aria-label": label, title: label, onclick }, "×");
  return el("div.row", { role: "listitem" }, el("span.rank"), el("span.phrase", {}, el("bdi"), remove, el("small")),
    el("div.track", {}, el("i.bar"), el("i.dash")), ...NUMBERS.map(() => el("span")));
}

function fill(node, /** @type {ContinuationRow} */ row, by) {
  const [rank, phrase, track, ...numbers] = node.children, [text, remove, below] = phrase.children;
  const [bar, dash] = track.children, place = row.by[by];
  node.style.order = `calc(${place.order} * var(--ranked, 1))`;
  node.dataset.rank = place.rank;
  setText(rank, place.rank);
  if (text.textContent !== row.text) text.replaceChildren(...spaced(row.text));
  remove.hidden = !row.own;
  setText(below, row.missing || place.behind);
  below.className = row.missing ? "missing" : "muted";
  bar.style.width = `${place.bar / 10}%`;
  dash.hidden = place.dash === null;
  dash.style.left = `${place.dash / 10}%`;
  NUMBERS.forEach((name, i) => {
    setText(numbers[i], row[name]);
    numbers[i].className = name === by ? "strong" : "";
  });
}
