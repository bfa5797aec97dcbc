import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, root } from "./browser.js";
import { markTerms, setGlossary, setTerms, wordOf, wordsIn } from "../../pages/app/components/shared/explain.js";
import { maths, writeLaw } from "../../pages/app/components/shared/maths.js";
import { el } from "../../pages/app/components/shared/component.js";

const WORDS = ["input", "hidden state", "logit", "hidden units", "input weights", "output weights", "bias of the state",
  "bias of the logits", "blank", "gradient", "held-out text"];
const GLOSSARY = {
  words: WORDS.map((word) => [word, [word === "input" ? "x_t" : "", word, `What ${word} is.`,
    [["ja", "入力"], ["de", "Eingabe"]]]]),
  terms: [["H", "hidden units"], ["hidden state", "hidden state"], ["logit", "logit"], ["logits", "logit"],
    ["␣", "blank"], ["held-out", "held-out text"]],
  names: Object.entries({ x: "input", X: "input", h: "hidden state", H: "hidden state", o: "logit", d: "gradient",
    W_x: "input weights", W: "output weights", b: "bias of the state" }),
  behind: [["b", "bias of the logits"]],
};
const marked = (text) => el("p", {}, ...markTerms(text)).querySelectorAll("[data-word]");
const words = (text) => [...marked(text)].map((node) => node.dataset.word);

/** Draws the card of explain.js. `says` returns its text while it is open, `over` moves the pointer over a node. */
async function card() {
  const place = root("explain"), parent = document.createElement("div");
  document.body.replaceChildren(parent);
  parent.append(place);
  const { default: script } = await import("../../pages/app/components/explain/explain.js");
  script({ parentElement: parent, data: GLOSSARY });
  const shown = place.querySelector(".card");
  let open = false;
  const opened = (is) => () => { open = is; };
  Object.assign(shown, { showPopover: opened(true), hidePopover: opened(false) });
  const over = (node) => {
    node.dispatchEvent(Object.assign(new window.Event("pointermove", { bubbles: true, composed: true }),
      { clientX: 5, clientY: 5, pointerType: "mouse" }));
    clock.pass(1000);
  };
  const add = (node) => {
    document.body.append(node);
    return node;
  };
  return { says: () => (open ? shown.textContent : ""), over, add };
}

test("what is written before the glossary is there is marked when it comes", () => {
  const node = setTerms(document.body.appendChild(el("p")), "held-out perplexity, H 8");
  assert.equal(node.children.length, 0);
  setGlossary(GLOSSARY);
  assert.deepEqual([...node.children].map(wordOf), ["held-out text", "hidden units"]);
  assert.equal(node.textContent, "held-out perplexity, H 8");
});

test("whole words are marked, the longest first, and nothing in quotation marks", () => {
  assert.deepEqual(words("the logits of a hidden state"), ["logit", "hidden state"]);
  assert.deepEqual(words("Hidden, D2L, HH, H-2, analogit, logit_x"), []);
  assert.deepEqual(words("a logit “of H” and “H”"), ["logit"]);
  assert.deepEqual(words("a text “that holds ” H” of its own"), []);
});

test("a word is marked where it comes first in its text", () => {
  assert.deepEqual(words("a logit, logits, “H”, a hidden state"), ["logit", "hidden state"]);
  assert.deepEqual(words("logits, logit, H"), ["logit", "hidden units"]);
});

test("a term of a script without blanks is marked between its letters, the longest first", () => {
  setGlossary({ ...GLOSSARY, terms: [["截断", "truncation"], ["截断长度", "truncation length"], ["隐状态", "hidden state"],
    ["logit", "logit"], ["H", "hidden units"]] });
  assert.deepEqual(words("按截断长度切断，截断后隐状态仍传下去，隐状态有H个数"),
    ["truncation length", "truncation", "hidden state", "hidden units"]);
  assert.deepEqual(words("每个logit值，HH，“隐状态”"), ["logit"]);
  setGlossary(GLOSSARY);
});

test("no word is read as markup, and none is lost", () => {
  for (const text of ["<b>H</b> & logit", "“", "", "logitlogit"])
    assert.equal(el("p", {}, ...markTerms(text)).textContent, text);
  assert.equal(el("p", {}, ...markTerms("<b>H</b>")).querySelector("b"), null);
});

test("a formula is explained letter by letter, at every step, and b by its layer", () => {
  const node = maths("H_{t} = φ(X_t W_x + h_{t-1} k + b)   o = h W + b");
  assert.deepEqual(wordsIn(node),
    ["hidden state", "input", "input weights", "bias of the state", "logit", "output weights", "bias of the logits"]);
  assert.deepEqual(wordsIn(maths("dW_{x} n_{t} c")), ["gradient"]);
});

test("a whole formula is one stop of the keyboard, a name alone is none, whatever was written before", () => {
  assert.equal(maths("h = x").tabIndex, 0);
  assert.equal(maths("W_x").tabIndex, -1);
  const law = el("span.law");
  for (const [text, stop] of [["h_{t} = x", 0], ["h_{t}", -1]]) {
    writeLaw(law, text, 0);
    assert.equal(law.tabIndex, stop);
  }
});

test("a typed token is not explained, a sign alone in its box is", () => {
  const node = el("span");
  writeLaw(node, "p(“{y}”)", 0, { y: "logit" });
  assert.deepEqual(wordsIn(node).filter((word) => word === "logit"), []);
  assert.equal(wordOf(el("bdi", {}, "␣")), "blank");
  assert.equal(wordOf(el("bdi", {}, "H")), undefined);
});

test("a card comes where the pointer rests, with the names in other languages, and goes", async () => {
  const page = await card(), node = page.add(setTerms(el("p"), "one logit"));
  page.over(node.querySelector(".explained"));
  assert.match(page.says(), /logit.*What logit is\..*入力.*Eingabe/);
  page.over(page.add(el("p", {}, "elsewhere")));
  assert.equal(page.says(), "");
});

test("Escape closes the card, and only that", async () => {
  const page = await card(), node = page.add(setTerms(el("p"), "one logit"));
  const heard = [];
  document.body.onkeydown = (event) => heard.push(event.key);
  const escape = () => document.body.dispatchEvent(Object.assign(new window.Event("keydown", { bubbles: true }),
    { key: "Escape" }));
  page.over(node.querySelector(".explained"));
  escape();
  assert.deepEqual([page.says(), heard], ["", []]);
  escape();
  assert.deepEqual(heard, ["Escape"]);
});
