import assert from "node:assert/strict";
import { test } from "node:test";

import { root, see } from "./browser.js";
import { link } from "../../pages/app/components/shared/link.js";
import tauChart from "../../pages/app/components/tau_chart/tau_chart.js";

let count = 0;
function drawn(values, taus) {
  const parentElement = document.createElement("div"), T = taus.at(-1), name = `tau ${count += 1}`;
  const mounted = root("tau_chart");
  parentElement.append(mounted);
  document.body.append(parentElement);
  const lines = [{ name: "W", label: "W", dash: "", width: 2, values }];
  const stops = taus.map((tau) => ({ tau, words: [`at ${tau}`] }));
  tauChart({ parentElement, data: { title: "", says: "", axes: ["", ""], lines, taus, ends: [-1, 1],
    ticks: [[-1, "−1"], [1, "1"]], stops, chosen: 0, link: name } });
  see(mounted, true);
  const all = (selector) => [...parentElement.querySelectorAll(selector)];
  const number = (node, attribute) => Number(node.getAttribute(attribute));
  const [left, top, bottom, right] = all(".frame")[0].getAttribute("d").match(/[\d.]+/g).map(Number);
  const points = all(".panel > svg > .line")[0].getAttribute("d").split(/[ML]/).slice(1)
    .map((point) => point.split(" ").map(Number));
  return { T, name, all, number, points, plot: { left, top, right, bottom } };
}

test("a curve is within the plot, from 1 at the left to T at the right, and low values are below high ones", () => {
  const { points, plot } = drawn([-1, 0.5, 0.25, 1], [1, 2, 4]);
  assert.ok(points.every(([x, y]) => plot.left < x && x < plot.right && plot.top <= y && y <= plot.bottom));
  assert.deepEqual([points[0][1], points[3][1]], [plot.bottom, plot.top]);
  assert.ok(points.every(([x], i) => !i || x > points[i - 1][0]));
  const [[first], [second], , [fourth]] = points; // a logarithmic axis
  assert.ok(Math.abs((second - first) - (fourth - second)) < 0.11);
});

test("a value that is not a number has neither a point nor a ring", () => {
  const { name, all, number, points } = drawn([null, 0.5, 0.25], [1, 2, 3]), [ring] = all(".ring");
  assert.equal(points.length, 2);
  assert.equal(ring.style.visibility, "hidden");
  link(name).set({ stop: 2 });
  assert.equal(ring.style.visibility, "inherit");
  assert.deepEqual([number(ring, "cx"), number(ring, "cy")], points[1]);
  assert.equal(all(".entry b")[0].textContent, "at 3");
  assert.equal(all(".tick.present")[0].textContent, "3");
});

test("labels below the axis have room, and the last one is always there", () => {
  const taus = [1, 2, 3, 5, 8, 13, 20, 35, 40], { T, all, number } = drawn(Array(40).fill(0), taus);
  const labels = all(".tick[text-anchor=\"middle\"]"), places = labels.map((label) => number(label, "x"));
  assert.equal(labels.at(-1).textContent, String(T));
  assert.ok(labels.length > 4 && places.every((x, i) => !i || x - places[i - 1] >= 20), `${places}`);
});

test("a text of one step has one point", () => assert.equal(drawn([0.5], [1]).points.length, 1));
