import assert from "node:assert/strict";
import { test } from "node:test";

import { root } from "./browser.js";
import { bars } from "../../pages/app/components/surprise/bars.js";
import { scaleOf } from "../../pages/app/components/shared/scales.js";

const sceneOf = (text) => {
  const symbols = [...text], scored = symbols.slice(1);
  return { text, symbols, picked: 1, nats: scored.map(() => 1), shades: scored.map(() => 50), beside: [], top: 2,
    ticks: [[2, "2"], [0, "0"]], running: scored.map(() => 500), running_words: scored.map(() => "3"),
    running_top: "10" };
};

test("a short text after a long one that was read to its end shows every one of its tokens", () => {
  const mounted = root(), { node, offer } = bars({ onpick() {}, onhover() {} });
  mounted.append(node);
  const show = (text) => offer(sceneOf(text), "surprise", scaleOf(mounted, "sequential"));
  const shown = () => [...node.querySelectorAll(".column bdi")].map((cell) => cell.textContent).join("");
  show("a long text ".repeat(20));
  const scroller = node.querySelector(".scroller");
  scroller.scrollLeft = 4600; // jsdom has no layout: it does not reset this value
  scroller.onscroll();
  assert.ok("a long text ".repeat(20).endsWith(shown()) && shown().length > 20);
  show("short");
  assert.equal(shown(), "short");
});
