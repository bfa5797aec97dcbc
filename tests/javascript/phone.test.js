// The page of a phone: it shows the question, sends the answer, and finds it again after a reload.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { JSDOM } from "jsdom";

const HTML = readFileSync(new URL("../../pages/app/server/room/phone.html", import.meta.url), "utf8");
const WORDS = Object.fromEntries(["title", "wait", "sent", "closed", "second", "draw", "or", "at", "send", "clear",
  "right", "lost", "kept", "x", "y"].map((name) => [name, `${name} {answer}{n}`]));
const BASE = { v: 1, n: 3, vote: 1, open: true, mine: null, right: null };
const CHOICE = { kind: "choice", text: "<b>Which?</b>", options: ["<i>one</i>", "two"] };
const NUMBER = { kind: "number", text: "How many?", low: 1, high: 100, log: true };
const CURVE = { kind: "curve", text: "Draw.", until: 1000, top: 5, lines: [["bigram", 2]] };

/** A phone that has loaded the page: its window, its requests, and `news(state)`, which answers the held one. */
function phone() {
  const requests = [];
  const beforeParse = (window) => {
    window.XMLHttpRequest = class {
      open(method, url) {
        Object.assign(this, { method, url });
      }

      setRequestHeader() {}

      send(body) {
        this.body = body;
        requests.push(this);
      }
    };
    window.SVGElement.prototype.getBoundingClientRect = () => ({ left: 0, top: 0, width: 360, height: 300 });
    window.SVGElement.prototype.setPointerCapture = () => {};
    window.PointerEvent ??= window.MouseEvent;
  };
  const html = HTML.replace("WORDS", JSON.stringify(WORDS));
  const { window } = new JSDOM(html, { runScripts: "dangerously", url: "http://wall/room/ABCD", beforeParse });
  const answer = (request, status, text = "") => {
    Object.assign(request, { status, responseText: text });
    request.onload();
  };
  const news = (state) => answer(requests.filter(({ method }) => method === "GET").at(-1), 200,
    JSON.stringify({ ...BASE, ...state }));
  const find = (selector) => [...window.document.querySelectorAll(selector)];
  const sent = () => requests.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body));
  const said = () => find("#s")[0].textContent;
  return { window, requests, answer, news, find, sent, said };
}

test("a choice is sent by a press, shown as pressed, and is not markup", () => {
  const { news, find, sent, answer, requests, said } = phone();
  assert.equal(requests[0].url, "/room/ABCD/now?v=-1");
  news({ q: CHOICE });
  assert.equal(find("#q")[0].textContent, CHOICE.text);
  assert.deepEqual(find("button").map(({ textContent }) => textContent), ["A  <i>one</i>", "B  two"]);
  find("button")[1].click();
  assert.deepEqual(sent(), [{ n: 3, vote: 1, answer: 1 }]);
  answer(requests.at(-1), 204);
  assert.deepEqual(find("button").map((node) => node.getAttribute("aria-pressed")), ["false", "true"]);
  assert.equal(said(), WORDS.sent);
  find("button")[0].click();
  answer(requests.at(-1), 409, "Too late.");
  assert.equal(said(), "Too late.");
});

test("after a reload the answer is shown, and a closed vote takes no answer", () => {
  const { news, find, said } = phone();
  news({ q: CHOICE, mine: 0 });
  assert.equal(find("button")[0].getAttribute("aria-pressed"), "true");
  news({ q: CHOICE, mine: 0, v: 2, open: false });
  assert.ok(find("button").every(({ disabled }) => disabled));
  assert.equal(said(), WORDS.closed);
  news({ q: CHOICE, mine: 0, v: 3, open: false, right: 1 });
  assert.match(said(), /right B/);
  news({ q: null, v: 4, n: 3, open: false });
  assert.equal(find("button").length, 0);
});

test("a number is sent within its bounds, on its log scale", () => {
  const { news, find, sent } = phone();
  news({ q: NUMBER });
  for (const value of [0, 0.5, 1]) {
    find("input")[0].value = value;
    find("input")[0].oninput();
    find("button")[0].click();
  }
  assert.deepEqual(sent().map(({ answer }) => answer), [1, 10, 100]);
  assert.equal(find("input")[0].getAttribute("aria-valuetext"), find("output")[0].textContent);
});

test("a curve is drawn by a finger, or with sliders, and sent as heights at 41 updates", () => {
  const { news, find, sent } = phone();
  news({ q: CURVE });
  const [drawing] = find("svg");
  const touch = (type, clientX, clientY) => drawing[`on${type}`]({ clientX, clientY, preventDefault() {} });
  touch("pointerdown", 36, 14);
  touch("pointermove", 195, 142);
  touch("pointerup", 195, 142);
  find("button")[0].click();
  const [{ answer }] = sent();
  assert.equal(answer.length, 41);
  assert.ok(Math.abs(Math.log(answer[0]) - 5) < 0.01);
  assert.ok(Math.abs(Math.log(answer[20]) - 2.5) < 0.1);
  assert.deepEqual(answer.slice(22), Array(19).fill(null));
  find("input")[4].value = 0.2;
  find("input")[4].oninput();
  find("button")[0].click();
  const last = sent()[1].answer;
  assert.ok(last.every((height) => height >= 1 && height < Math.exp(5)));
  assert.ok(Math.abs(Math.log(last[40]) - 1) < 0.01);
});

test("the same news again change nothing that is being drawn", () => {
  const { news, find } = phone();
  news({ q: NUMBER });
  const [slider] = find("input");
  news({ q: NUMBER, v: 2 });
  assert.equal(find("input")[0], slider);
});

test("with the truth, the right option is marked, and the right number said", () => {
  const { news, find, said } = phone();
  news({ q: CHOICE, mine: 0, open: false, right: 1 });
  assert.deepEqual(find("button").map(({ textContent }) => textContent.endsWith("✓")), [false, true]);
  news({ q: NUMBER, v: 2, n: 4, open: false, right: 12.34 });
  assert.match(said(), /12\.3/);
  assert.equal(find("output")[0].textContent, "–"); // it has not answered
});

test("no label of a curve's axes is cut, and none lies over another one", () => {
  const { news, find } = phone();
  news({ q: { ...CURVE, lines: [["uniform", 4.6], ["4-gram", 1.36], ["5-gram", 1.31], ["trigram", 1.7]] } });
  const labels = find("svg text").map((node) => [node.textContent, Number(node.getAttribute("x")),
    Number(node.getAttribute("y")), node.getAttribute("text-anchor")]);
  const [, , , anchor] = labels.find(([words, , y]) => words === "1000" && y > 250);
  assert.equal(anchor, "end");
  const heights = labels.filter(([words]) => /gram|uniform/.test(words)).map(([, , y]) => y).sort((a, b) => a - b);
  assert.equal(heights.length, 4);
  assert.ok(heights.every((y, i) => !i || y - heights[i - 1] >= 12));
});
