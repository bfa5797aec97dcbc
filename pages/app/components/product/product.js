// The probability of a text as a product with one factor per step, up to the play head; its perplexity.

import { _, ngettext, pieces, sentences } from "../shared/messages.js";
import { el, elements, resizeList, setText } from "../shared/component.js";
import { maths } from "../shared/maths.js";
import { follower } from "../shared/follower.js";

const ROWS = 8; // factors that are listed, the newest last
const CONTEXT = 6; // tokens after the bar in P(target | tokens), at most
const SOFTMAX = 4; // the sub-step that gives the factor

export default follower("product", { steps: (data) => data.drawing.steps.length, build, show });

function build(root, /** @type {State<"product">} */ state) {
  Object.assign(state, elements({ body: "tbody", perplexity: "p.perplexity" }));
  state.whole = el("p.whole", { "aria-live": "off" });
  const laws = el("div.laws", {}, el("h3", { "aria-level": 2 }, _("Every text, token by token")),
    ...state.data.drawing.laws.map(([law, why]) => el("div.line", {}, maths(law), el("span.muted.small", {}, why))));
  const heads = [_("factor"), "p", _("product so far"), "ln p", _("sum of ln p")];
  root.replaceChildren(el("section.panel.both", { "aria-label": _("The product rule") }, laws,
    el("div", {}, state.whole, el("table", {},
      el("thead", {}, el("tr", {}, ...heads.map((head) => el("th.muted", { scope: "col" }, head)))), state.body),
    state.perplexity)));
}

const context = (/** @type {ProductDrawing} */ { inputs, joint }, t) =>
  `${t >= CONTEXT ? "…" : ""}${inputs.slice(Math.max(0, t + 1 - CONTEXT), t + 1).join(joint)}`;

function show(/** @type {State<"product">} */ state) {
  const { drawing } = state.data, { at } = state.link, { steps, inputs } = drawing;
  const done = Math.min(at.step + (at.sub >= SOFTMAX ? 1 : 0), steps.length); // factors so far
  state.body.dataset.done = done;
  const first = Math.max(0, done - ROWS);
  const made = () => el("tr", {}, el("th", { scope: "row" }), el("td"), el("td"), el("td"), el("td"));
  resizeList(state.body, Math.min(ROWS, steps.length), made).forEach((row, i) => {
    const t = first + i, [target, p, product, ln, sum] = steps[t];
    row.classList.toggle("later", t >= done);
    row.classList.toggle("present", t === done - 1);
    row.firstChild.replaceChildren("P(", el("bdi", {}, target), " | ", el("bdi", {}, context(drawing, t)), ")");
    [p, product, ln, sum].forEach((words, j) => setText(row.children[j + 1], words));
  });
  const given = el("bdi", {}, inputs[0]);
  if (!done) {
    state.whole.replaceChildren(...pieces(_("No factor yet: {given} is read first and is given."), { given }));
    state.perplexity.replaceChildren();
    return;
  }
  const [, , product, , sum, perplexity] = steps[done - 1];
  const read = steps.slice(0, done).map(([target]) => target);
  const text = [inputs[0], ...read].join(drawing.joint);
  const whole = ["P(", el("bdi", {}, text.length > 32 ? `…${text.slice(-31)}` : text), ") = P(", given, ") × ",
    el("b", {}, product)];
  const factors = ngettext("{whole} : {n} factor.", "{whole} : {n} factors.", done);
  state.whole.replaceChildren(...sentences(pieces(factors, { whole, n: done }),
    pieces(_("The network is not asked for {given}: it is given."), { given: given.cloneNode(true) })));
  const base = _("(product)"), power = maths(`${base}^{−1/${done}}`);
  const mean = _("Mean of −ln p: {sum} / {n}.", { sum: sum.replace("−", ""), n: done });
  state.perplexity.replaceChildren(...sentences([mean],
    pieces(_("Perplexity = exp of it = {power} = {perplexity}: one over the geometric mean of the factors."),
      { power, perplexity: el("b", {}, perplexity) })));
}
