import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, fire, root, settled } from "./browser.js";
import { channel } from "../../pages/app/components/shared/channel.js";
import mount from "../../pages/app/components/shared/mount.js";

const GOOD = { head: ["model", "bits"], rows: [{ name: "uniform", tone: "", cells: [{ text: "6.4" }] }] };

function placed() {
  const place = document.createElement("div");
  place.append(root("grid"));
  document.body.append(place);
  let drawings = 0;
  const draw = (data, drawn = drawings += 1) => {
    const bytes = new TextEncoder().encode(`${drawn} ${place.handled ?? 0} en\n${JSON.stringify(data)}`);
    return mount({ parentElement: place, data: bytes, ...place.streamlit }, "grid");
  };
  const seen = () => [place.querySelector(".grid").hidden, place.querySelectorAll("table").length];
  return { place, draw, seen };
}

test("what cannot be drawn says so, and is drawn anew from the next data", async (context) => {
  const failures = context.mock.method(console, "error", () => {});
  const { place, draw, seen } = placed();
  await draw(GOOD);
  const whole = place.querySelector(".grid").textContent;
  assert.deepEqual(seen(), [false, 1]);
  await draw({ head: null });
  assert.equal(place.querySelectorAll("[role=status]").length, 1);
  assert.equal(place.querySelector(".grid").hidden, true);
  assert.equal(failures.mock.callCount(), 1);
  await draw({ head: null });
  assert.equal(place.querySelectorAll("[role=status]").length, 1);
  await draw(GOOD);
  assert.deepEqual(seen(), [false, 1]);
  assert.equal(place.querySelector(".grid").textContent, whole);
  assert.equal(place.querySelectorAll("[role=status]").length, 0);
});

test("data that come after newer ones are left out", async () => {
  const { place, draw } = placed(), named = (name) => ({ ...GOOD, rows: [{ ...GOOD.rows[0], name }] });
  place.handled = 2;
  await draw(named("second"), 2);
  place.handled = 1;
  await draw(named("first"), 1);
  assert.match(place.textContent, /second/);
  assert.equal(place.answered, 2);
  await Promise.all([draw(named("fourth"), 4), draw(named("third"), 3)]);
  assert.match(place.textContent, /fourth/);
});

test("data whose script is loaded after the component has left the page are not drawn", async (context) => {
  const failures = context.mock.method(console, "error", () => {});
  const { place, draw, seen } = placed();
  const drawn = draw(GOOD);
  place.remove();
  await drawn;
  assert.deepEqual(seen(), [false, 0]);
  assert.equal(failures.mock.callCount(), 0);
});

test("keys typed into a field or a dialog are not the page's", async () => {
  const { place, draw } = placed(), heard = [];
  await draw(GOOD);
  document.body.addEventListener("keydown", ({ target }) => heard.push(target));
  const [button] = ["button", "textarea", "dialog"].map((tag) => place.appendChild(document.createElement(tag)));
  for (const node of place.children) fire(node, "keydown");
  assert.deepEqual(heard.filter((node) => node.parentElement === place), [place.firstElementChild, button]);
});

/** A drawn component, its messages to Streamlit, and `answer`, which draws it again as Python does. */
async function talking() {
  const { place, draw } = placed(), sent = [];
  const held = {}, setStateValue = (event, message) => {
    held[event] = message;
    if (event !== "count") sent.push(["state", event, message]);
  };
  place.streamlit = { setStateValue, setTriggerValue: (...told) => sent.push(["trigger", ...told]) };
  await draw(GOOD);
  const newest = () => sent.at(-1)[2].count;
  const answer = async (count = newest()) => {
    place.handled = Math.max(place.handled ?? 0, count);
    await draw(GOOD);
    await settled();
  };
  const script = channel(place); // the channel that the component's script receives
  return { place, sent, held, answer, newest, script };
}

const kinds = (sent) => sent.map(([kind, event, { value }]) => [kind, event, value]);

test("a message is sent with its count, and its promise is resolved by the drawing that answers it", async () => {
  const { sent, answer, newest, script } = await talking();
  let heard = null;
  script.setStateValue("move", { name: "tau" }).then((is) => { heard = is; });
  await settled();
  assert.deepEqual(kinds(sent), [["state", "move", { name: "tau" }]]);
  assert.ok(Number.isInteger(newest()));
  await answer(newest() - 1); // the answer to another message: a poll
  assert.equal(heard, null);
  await answer(newest());
  assert.equal(heard, true);
});

test("before an event goes a state, without which Streamlit forgets it where the page is turned", async () => {
  const { place, held, newest, script } = await talking(), before = [];
  const { setTriggerValue } = place.streamlit;
  place.component.setTriggerValue = (...told) => {
    before.push({ ...held });
    setTriggerValue(...told);
  };
  script.setTriggerValue("press", "play");
  await settled();
  assert.deepEqual(before, [{ count: newest() }]); // not after it: the event may open another page
});

test("messages are sent one after the other, in their order", async () => {
  const { sent, answer, script } = await talking();
  script.setStateValue("move", 1);
  script.setTriggerValue("press", "play");
  script.setTriggerValue("press", "pause");
  await settled();
  assert.deepEqual(kinds(sent), [["state", "move", 1]]);
  await answer();
  assert.deepEqual(kinds(sent).slice(1), [["trigger", "press", "play"]]);
  await answer();
  assert.deepEqual(kinds(sent).slice(2), [["trigger", "press", "pause"]]);
});

test("a message without an answer is sent again with the same count, the next one after its answer", async () => {
  const { sent, answer, script } = await talking();
  script.setTriggerValue("press", "play");
  script.setTriggerValue("press", "pause");
  await settled();
  for (const [ms, times] of [[4999, 1], [1, 2], [9999, 2], [1, 3]]) {
    clock.pass(ms);
    await settled(); // eslint-disable-line no-await-in-loop
    assert.equal(sent.length, times);
  }
  assert.deepEqual(new Set(sent.map((one) => JSON.stringify(one))).size, 1);
  await answer();
  assert.deepEqual(kinds(sent).slice(3), [["trigger", "press", "pause"]]);
});

test("while the connection is lost, messages wait and a line says so; then each is sent at once", async () => {
  const { sent, answer, script } = await talking(); // on an empty page
  const app = document.body.appendChild(document.createElement("div"));
  const connect = async (state) => {
    app.setAttribute("data-test-connection-state", state);
    await settled();
  };
  await connect("CONNECTED");
  const line = () => document.querySelector(".connection-lost")?.textContent;
  script.setTriggerValue("press", "sent before");
  await settled();
  await connect("PINGING_SERVER");
  clock.pass(500);
  assert.match(line(), /lost.*: 1/u);
  await connect("CONNECTING");
  script.setTriggerValue("press", "pressed meanwhile");
  clock.pass(20_000);
  await settled();
  assert.match(line(), /lost.*: 2/u);
  assert.equal(sent.length, 1);
  await connect("CONNECTED");
  assert.equal(line(), undefined);
  assert.deepEqual([sent.length, sent[1]], [2, sent[0]]);
  await answer();
  assert.deepEqual(kinds(sent).slice(2), [["trigger", "press", "pressed meanwhile"]]);
  app.remove();
});

test("a message that Streamlit has dropped is sent again when the script has ended", async () => {
  const { sent, script } = await talking();
  const app = document.body.appendChild(document.createElement("div"));
  app.setAttribute("data-test-connection-state", "CONNECTED");
  app.setAttribute("data-test-script-state", "running");
  script.setTriggerValue("press", "play");
  await settled();
  app.setAttribute("data-test-script-state", "notRunning");
  await settled();
  clock.pass(300);
  await settled();
  assert.deepEqual([sent.length, sent[1]], [2, sent[0]]);
  app.remove();
});

const counts = (sent) => sent.map(([, , { count }]) => count);

test("counts grow: for equal messages, with a clock set back, and for the next component there", async (context) => {
  const { place, sent, answer, script } = await talking();
  const now = context.mock.method(Date, "now", () => 1000);
  for (let i = 0; i < 3; i++) {
    now.mock.mockImplementation(() => 1000 - 100 * i);
    script.setStateValue("move", 7);
    await answer(0); // eslint-disable-line no-await-in-loop
    await answer(); // eslint-disable-line no-await-in-loop
  }
  assert.deepEqual(counts(sent), [1000, 1001, 1002]);
  const other = await talking(); // at the same place, as after opening another page and returning
  other.place.handled = place.handled;
  await other.answer(1002);
  other.script.setStateValue("move", 7);
  await settled();
  assert.deepEqual(counts(other.sent), [1003]);
});

test("messages are sent by Streamlit's newest functions, and not once the component has left the page", async () => {
  const { place, sent, answer, script } = await talking(), newer = [];
  script.setTriggerValue("press", 1);
  script.setTriggerValue("press", 2);
  await settled();
  place.streamlit = { setStateValue() {}, setTriggerValue: (...told) => newer.push(told) };
  await answer();
  assert.deepEqual([sent.length, newer.length], [1, 1]);
  script.setTriggerValue("press", 3);
  place.remove();
  await answer(newer[0][1].count);
  assert.deepEqual([sent.length, newer.length], [1, 1]);
});
