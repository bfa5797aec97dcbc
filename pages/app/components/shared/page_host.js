// Draws a page that was saved as a file: its texts and components in the order of the page, in one of the recorded
// states. Messages to Python are dropped, and controls that need Python are disabled.

import { setTarget } from "./target.js";
import { isPresented } from "./url.js";
import { conflated, el, loadPlotly, onPrinting } from "./component.js";
import { offerPictures } from "./save.js";
import { find } from "./find.js";
import { registerShortcuts } from "./keys.js";
import { _, lazy_gettext } from "./messages.js";
import { onPresenting } from "./presenting.js";
import { pressedText } from "./scene_actions.js";
import { adoptStyles } from "./styles.js";
import { nextOf, statesBar, statesButtons } from "./page_states.js";
import { wordsOf } from "./page_words.js";
import { limitScale, windowScale } from "./window_scale.js";

const FOOTER = lazy_gettext("This file stands by itself. What trains, or asks the network anew, rests here.");
// Selectors of the controls that work without Python, by component.
const LOCAL = { surprise: ".segment", continuations: ".segment", scene_bar: "*" };
const ignore = async () => true;
const components = new Map(); // by key
const words = new Map(); // "place count" -> nodes of an item, where count numbers its repetitions in a state
let files = null; // {load, plotly}, unpacked by page_boot.js
let page = null; // the data that page_file.py wrote (PageFileData)
let showNext = (/** @type {string} */ name) => Boolean(name); // shows the next state of this name, if there is one

/** Draw the page. */
export async function host(written, unpacked) {
  [page, files] = [written, unpacked];
  if (page.step && !new URLSearchParams(window.location.search).has("step")) setTarget(`?step=${page.step}`);
  const pictures = Promise.withResolvers(); // resolved when all but the charts is drawn: unpacking plotly.js takes time
  if (files.plotly) window.plotlyLoading ??= pictures.promise.then(files.plotly).then(loadPlotly);
  const main = document.querySelector("main"), above = el("header"), content = el("div.content");
  main.replaceChildren(above, content, footer());
  content.addEventListener("click", ({ target }) => {
    if (target.matches(".contents a")) target.href = presented(target.href);
  });
  new ResizeObserver(() => root.style.setProperty("--above", `${above.offsetHeight + 8}px`)).observe(above);
  limitScale({ plain: [1100, 1.5], presented: [760, Infinity] });
  main.tabIndex = -1;
  main.focus({ preventScroll: true }); // keys scroll it
  followTheme();
  registerShortcuts();
  const names = page.states.map(([name]) => name);
  const show = conflated((i) => drawState(page.states[i][1], above, content), 0);
  showNext = nextOf(names, show);
  const choosing = names.length < 2 ? null : page.chosen === "bar" ? statesBar(names, page.begins, show)
    : page.chosen === "buttons" ? statesButtons(names, showNext) : null;
  if (choosing) above.append(choosing);
  await show(page.begins);
  requestAnimationFrame(() => setTimeout(pictures.resolve));
  if (!find("h1, .question").length) content.prepend(el("h1", {}, page.title));
  if (choosing && page.chosen === "bar" && !find("[data-key=\"play\"]").length)
    choosing.firstChild.setAttribute("data-key", "play");
  const first = page.at && content.querySelector(`[data-place="${page.at}"]`);
  if (first) holdAtTop(first, content);
  main.dataset.drawn = "";
}

/** Hold this node at the top of the viewport, also while charts above it are drawn, until the user scrolls. */
function holdAtTop(node, content) {
  const observer = new ResizeObserver(() => {
    const above = node.getBoundingClientRect().top - content.getBoundingClientRect().top;
    content.style.minHeight = `${(above + window.innerHeight) / windowScale()}px`;
    node.scrollIntoView({ behavior: "instant" });
  });
  for (const part of content.children) observer.observe(part); // not `content`, which has a minimum height
  for (const event of ["wheel", "touchmove", "pointerdown", "keydown"])
    window.addEventListener(event, () => observer.disconnect(), { once: true });
}

// A state

/** Draw these items: existing components are updated, other nodes are inserted between them. */
function drawState(places, above, content) {
  const times = new Map(), drawn = new Set();
  let next = content.firstChild;
  const put = (node) => {
    drawn.add(node);
    if (node === next) next = node.nextSibling;
    else content.insertBefore(node, next);
  };
  const atTop = (node) => { if (!node.isConnected) above.prepend(node); };
  for (const place of places) {
    const item = page.items[place], time = times.get(place) ?? 0;
    times.set(place, time + 1);
    if (!words.has(`${place} ${time}`)) words.set(`${place} ${time}`, wordsOf(item, isLive));
    const nodes = words.get(`${place} ${time}`);
    if (nodes) nodes.forEach(put);
    else component(item, item.name === "scene_bar" ? atTop : put);
  }
  for (const node of [...content.children]) if (!drawn.has(node) && node.localName !== "h1") node.remove();
  for (const [key, { node, unmount }] of components) if (!node.isConnected) {
    components.delete(key);
    unmount?.();
  }
}

// Components

function component(item, put) {
  const one = components.get(item.key) ?? createComponent(item);
  put(one.node);
  if (one.item === item) return;
  one.item = item;
  one.draw();
}

function createComponent({ name, key, parts, isolated }) {
  const node = el("div.item", { "data-name": name }), place = isolated ? node.attachShadow({ mode: "open" }) : node;
  adoptStyles(isolated ? place : document, [name, ...parts]);
  const within = parts.map((part) => el("div.framed", {}, el(`div.component.${part}`)));
  place.append(el("div.framed", {}, el(`div.component.${name}`, {}, ...within)));
  const script = files.load(name), send = name === "scene_bar" ? openScene : ignore;
  const one = { node, item: null, unmount: /** @type {any} */ (null), draw() {
    const { data, asks } = one.item;
    one.unmount = script.default({ parentElement: place, data, setTriggerValue: send, setStateValue: ignore });
    offerPictures(place);
    if (asks) disableControls(place, one.item);
  } };
  node.addEventListener("click", (event) => {
    const text = pressedText(event);
    if (shows(text)) showNext(text);
  }, true);
  components.set(key, one);
  return one;
}

/** Whether a button of a component with this text shows a state. The state without a name has no button. */
const shows = (text) => text && page.chosen === "components" && page.states.some(([name]) => name === text);

/** Whether a control works without Python: it moves linked components, or shows a state. */
const isLive = ({ link, options, words }) =>
  Boolean(link) || (options ?? []).some(([, text]) => shows(text)) || shows(words);

/** Disable the controls that need Python; a slider that components in the browser follow stays enabled. */
function disableControls(place, { name, data }) {
  if (name === "scene_bar" && !page.ways) for (const way of place.querySelectorAll(".ways a")) way.hidden = true;
  if (name === "controls") {
    const all = data.rows.flat();
    place.querySelectorAll(".row > *").forEach((node, i) => { node.inert = !isLive(all[i]); });
    return;
  }
  const local = `.save *, ${LOCAL[name] ?? ".local"}`;
  for (const node of place.querySelectorAll("input, select, button"))
    node.inert = !(node.matches(local) || shows(node.textContent.trim()));
  for (const node of place.querySelectorAll("textarea")) node.readOnly = true;
}

// Links to other pages of the folder

/** Handle a message of the scene bar: open the file of a scene, or the index page. */
async function openScene(event, /** @type {any} */ value) {
  const file = event === "open_scene" && page.ways && (value.key ? page.ways.files[value.key] : page.ways.all);
  if (file) window.location.href = presented(file);
  return true;
}

/** The URL of another page, in presentation mode if this page is. */
function presented(file) {
  const url = new URL(file, window.location.href);
  if (isPresented()) url.searchParams.set("present", "1");
  return url.href;
}

// The theme

const dark = matchMedia("(prefers-color-scheme: dark)"), root = document.documentElement;

function drawAll() {
  for (const one of components.values()) one.draw();
}

function followTheme() {
  setTheme(dark.matches);
  dark.addEventListener("change", ({ matches }) => setTheme(matches));
  onPresenting(drawAll);
  onPrinting(drawAll);
}

function setTheme(is) {
  root.dataset.theme = is ? "dark" : "light";
  drawAll();
}

function footer() {
  const live = page.live ? el("a", { href: page.live, rel: "noreferrer" }, _("Open the live page")) : null;
  const theme = el("button.theme", { onclick: () => setTheme(root.dataset.theme === "light") },
    _("Light or dark"));
  return el("footer.note", {}, _(FOOTER), " ", live, " ", theme);
}
