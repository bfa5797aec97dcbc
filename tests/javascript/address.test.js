import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { choosing, onReturn } from "../../pages/app/components/shared/address.js";

const { history, location } = window;
const write = (search) => history.pushState({}, "", `${location.pathname}${search}`); // as Streamlit does

test("only a section that a hand chose is an entry of the history", () => {
  const before = history.length;
  write("?tau=3");
  write("?section=proof");
  assert.equal(history.length, before);
  choosing();
  write("?section=cut");
  write("?section=cut&tau=3");
  assert.equal(history.length, before + 1);
  assert.equal(location.search, "?section=cut&tau=3");
});

test("going back turns to the section before; where nothing turns, Streamlit hears of it", () => {
  const turned = [], heard = [];
  window.addEventListener("popstate", () => heard.push(location.search));
  onReturn((section) => turned.push(section) === 1);
  window.dispatchEvent(new window.PopStateEvent("popstate"));
  assert.deepEqual([turned, heard.length], [["cut"], 0]);
  window.dispatchEvent(new window.PopStateEvent("popstate"));
  assert.deepEqual([turned.length, heard.length], [2, 1]);
});

test("another page is an entry of the history", () => {
  const before = history.length;
  history.pushState({}, "", "/other?section=cut");
  assert.equal(history.length, before + 1);
});

test("an entry of the history is presented only while the page is", () => {
  Object.getPrototypeOf(history).replaceState.call(history, {}, "", "?section=cut&present=1"); // as it once was
  window.dispatchEvent(new window.PopStateEvent("popstate"));
  assert.equal(location.search, "?section=cut");
});
