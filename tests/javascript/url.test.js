import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { chooseSection } from "../../pages/app/components/shared/url.js";
import { cancelRequest, registerTabs } from "../../pages/app/components/shared/sections.js";

const { history, location } = window;
const write = (search) => history.pushState({}, "", `${location.pathname}${search}`); // as Streamlit does

/** A bar of two sections, of which `open` is open; `answers` are the results of its messages. */
function bar(open, ...answers) {
  const root = document.body.appendChild(document.createElement("div")), sent = [];
  const choose = async (name) => {
    sent.push(name);
    return answers.shift() ?? true;
  };
  registerTabs({ root, open, names: ["cut", "proof"], choose });
  return { root, sent };
}

const settled = () => new Promise(setImmediate);

test("only a section that a hand chose is an entry of the history", async () => {
  history.pushState({}, "", "/sections"); // no other test has put a play head into this URL
  const before = history.length;
  write("?tau=3");
  write("?section=proof");
  assert.equal(history.length, before);
  const { root } = bar("proof");
  chooseSection("cut");
  await settled();
  root.remove();
  write("?section=cut");
  write("?section=cut&tau=3");
  assert.equal(history.length, before + 1);
  assert.equal(location.search, "?section=cut&tau=3");
});

test("going back chooses the section before; where no bar has it, Streamlit hears of it", async () => {
  const heard = [], { root, sent } = bar("proof");
  window.addEventListener("popstate", () => heard.push(location.search));
  window.dispatchEvent(new window.PopStateEvent("popstate"));
  await settled();
  assert.deepEqual([sent, heard.length], [["cut"], 0]);
  root.remove();
  window.dispatchEvent(new window.PopStateEvent("popstate"));
  assert.equal(heard.length, 1);
  cancelRequest();
});

test("a section is asked for until the server answers or shows it, also on the bar that follows", async () => {
  const first = bar("cut", false, false);
  chooseSection("proof");
  await settled();
  assert.deepEqual(first.sent, ["proof", "proof", "proof"]);
  const left = bar("cut", false);
  chooseSection("proof");
  left.root.remove();
  first.root.remove();
  await settled();
  const next = bar("cut", false);
  await settled();
  assert.deepEqual([left.sent, next.sent], [["proof"], ["proof", "proof"]]);
  next.root.remove();
  chooseSection("proof");
  assert.deepEqual(bar("proof").sent, ["proof"]);
  await settled();
});

test("a section that is still asked for is not that of the page to which going back leads", () => {
  bar("cut");
  document.body.replaceChildren();
  chooseSection("proof");
  Object.getPrototypeOf(history).replaceState.call(history, {}, "", "/elsewhere");
  window.dispatchEvent(new window.PopStateEvent("popstate"));
  assert.deepEqual(bar("cut").sent, []);
});

test("another page is an entry of the history", () => {
  const before = history.length;
  history.pushState({}, "", "/other?section=cut");
  assert.equal(history.length, before + 1);
});

test("an entry of the history is presented only while the page is", () => {
  Object.getPrototypeOf(history).replaceState.call(history, {}, "", "?section=cut&present=1"); // an older entry
  window.dispatchEvent(new window.PopStateEvent("popstate"));
  assert.equal(location.search, "?section=cut");
});
