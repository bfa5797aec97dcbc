// The code of a picture, in one of several listings: the lines of the present sub-step are lit, those of the earlier
// ones of the same step marked. Below, the arrays in the lit lines: their shapes and their numbers at this step.

import { follower } from "../shared/follower.js";
import { _ } from "../shared/messages.js";
import { changed, el, elements, resizeList, segments, setText } from "../shared/component.js";

const NEAR_TOP = 90; // px

let chosen = 0; // the listing, for all pictures

export default follower("listing", { build, offer, show, leave: (state) => state.link.share({ isListed: false }) });

function build(root, /** @type {State<"listing">} */ state) {
  const { listings } = state.data.drawing;
  state.which = segments({ label: _("Listing"), options: listings.map(({ name }, i) => [i, name]), onchoose: (i) => {
    chosen = i;
    offer(root, state);
    show(state);
  } });
  Object.assign(state, elements({ note: "p.small.muted", arrays: "tbody" }));
  state.subs = el("div.subs", { role: "group", "aria-label": _("Sub-steps") });
  state.code = el("div.code", { role: "region", tabindex: 0, "aria-label": _("The code") });
  const head = el("tr", {}, ...[_("array"), _("shape"), _("numbers")].map((word) => el("th", { scope: "col" }, word)));
  root.replaceChildren(el("div.head", {}, state.which.node, state.subs), state.note, state.code,
    el("table", {}, el("thead", {}, head), state.arrays));
  if (state.link.at.text === null) state.link.set({ sub: 0 }); // the picture has no play head
  state.link.share({ isListed: true });
}

const partsOf = (/** @type {State<"listing">} */ state) =>
  state.data.drawing.listings[chosen % state.data.drawing.listings.length];

function offer(root, /** @type {State<"listing">} */ state) {
  const { parts, name, note } = partsOf(state);
  state.which.offer(chosen);
  setText(state.note, note);
  state.note.hidden = !note;
  if (!changed(state, "shown", [name, parts])) return;
  state.lines = parts.map(({ first, lines }) => lines.map((line, i) => el("div.line", {},
    el("span.number", { "aria-hidden": "true" }, String(first + i)), el("code", {}, line || " "))));
  state.code.replaceChildren(...parts.map(({ place }, i) =>
    el("div.part", {}, el("div.place", {}, place), ...state.lines[i])));
  state.lit = "";
}

function show(/** @type {State<"listing">} */ state) {
  const { at } = state.link, { drawing } = state.data, { lines, names } = partsOf(state);
  const pass = at.back && drawing.substeps.length > 1 ? 1 : 0, words = drawing.substeps[pass];
  const sub = Math.min(at.sub, words.length - 1);
  resizeList(state.subs, words.length, () => el("button.sub")).forEach((button, i) => {
    setText(button, words[i]);
    button.setAttribute("aria-current", i === sub ? "step" : "false");
    button.onclick = () => {
      state.link.set({ sub: i });
      state.link.onGo();
    };
  });
  if (changed(state, "lit", [chosen, lines[pass], sub])) light(state, lines[pass], sub);
  const shown = names[pass][sub];
  resizeList(state.arrays, shown.length, arrayRow).forEach((row, i) => {
    const [name, index] = shown[i], { shape, numbers } = drawing.arrays[index];
    setText(row.children[0].firstChild, name);
    setText(row.children[1], shape);
    setText(row.children[2], numbers[Math.min(at.step, numbers.length - 1)] ?? "");
  });
}

const arrayRow = () => el("tr", {}, el("th", { scope: "row" }, el("code")), el("td"), el("td"));

/** Light the lines of a sub-step, and bring them into view within the code. */
function light(/** @type {State<"listing">} */ state, lines, sub) {
  const place = ([part, line]) => state.lines[part][line], before = new Set(lines.slice(0, sub).flat().map(place));
  const present = new Set(lines[sub].map(place));
  for (const node of state.lines.flat())
    node.dataset.is = present.has(node) ? "present" : before.has(node) ? "past" : "";
  const [first] = present, { code } = state, down = first.offsetTop - code.scrollTop;
  if (down < 0 || down > NEAR_TOP) code.scrollTop = first.offsetTop - NEAR_TOP / 2; // below the picture is little room
}
