import assert from "node:assert/strict";
import { test } from "node:test";

import { root } from "./browser.js";
import { offerPictures, speaking, updateIn } from "../../pages/app/components/shared/save.js";

test("a file's name is of plain letters, digits and hyphens, and says a word once", () => {
  assert.equal(speaking(["perplexity", undefined, "perplexity", "live_figure", "", "update-1000"]),
    "perplexity-live-figure-update-1000");
  assert.equal(speaking(["../é <b>", "what/if"]), "e-b-what-if");
});

test("the update is the first one that a picture speaks of, with thin spaces or aloud", () => {
  const node = root();
  assert.equal(updateIn(node), null);
  const add = (words) => node.appendChild(Object.assign(document.createElement("i"), words));
  add({ textContent: "Play: one update at a time" });
  assert.equal(updateIn(node), null);
  const spoken = add({ textContent: "5.3" });
  spoken.setAttribute("aria-label", "Perplexity 5.3 at update 12\u202f345.");
  assert.equal(updateIn(node), "12345");
  node.prepend(Object.assign(document.createElement("i"), { textContent: "Untrained: update 0" }));
  assert.equal(updateIn(node), "0");
});

function framed(name, within = "") {
  const frame = document.createElement("div");
  frame.className = "framed";
  frame.innerHTML = `<div class="component ${name}" data-theme="dark">${within}</div>`;
  document.body.replaceChildren(frame);
  const draw = () => offerPictures(document.body);
  draw();
  return { frame, draw, save: () => frame.querySelectorAll(":scope > .save") };
}

test("every picture can be saved, once, in its own theme; a bar of controls cannot", () => {
  const { frame, draw, save } = framed("cell");
  frame.firstElementChild.dataset.theme = "light";
  draw();
  assert.equal(save().length, 1);
  assert.equal(save()[0].dataset.theme, "light");
  assert.equal(framed("transport").save().length, 0);
});

test("of a component in parts, each part is a picture", () => {
  const { frame, save } = framed("run_view", "<div class=\"framed\"><div class=\"component live_figure\"></div></div>");
  assert.equal(save().length, 0);
  assert.equal(frame.querySelectorAll(".framed > .save").length, 1);
});

const kindsOf = (name) => [...framed(name).save()[0].querySelectorAll(".kinds button")].map((each) => each.textContent);

test("a drawing is saved as SVG or PNG, another panel as PNG", () => {
  assert.deepEqual(kindsOf("cell"), ["SVG", "PNG"]);
  assert.deepEqual(kindsOf("grid"), ["PNG"]);
});

test("the kinds of file are shown when they are asked for, and hidden by Esc and by leaving", () => {
  const [save] = framed("cell").save(), open = save.lastElementChild, kinds = save.firstElementChild;
  assert.equal(kinds.hidden, true);
  const closes = { keydown: { key: "Escape", bubbles: true } };
  open.click();
  assert.equal(kinds.hidden, false);
  assert.equal(open.getAttribute("aria-expanded"), "true");
  open.dispatchEvent(new window.KeyboardEvent("keydown", closes.keydown));
  assert.equal(kinds.hidden, true);
  open.click();
  open.dispatchEvent(new window.FocusEvent("focusout", { bubbles: true, relatedTarget: document.body }));
  assert.equal(kinds.hidden, true);
});
