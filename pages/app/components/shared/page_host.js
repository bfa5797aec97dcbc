// Draws a page that was saved as one file: its words, and its components in the order of the page. What a component
// would send to Python goes nowhere, so all that Python decides rests at its value.

import "./address.js";
import { el, print } from "./paper.js";
import { offerPictures } from "./save.js";
import { listen } from "./keys.js";
import { onPresenting } from "./presenting.js";

const LIVE = "This file stands by itself. What trains, or asks the network anew, rests here.";
const answered = async () => true;
const drawings = []; // of every component: draws it again
const sheets = new Map();
let files = null; // {styles, load, plotly}: what page_boot.js has unpacked

/** Draw all items into the page. */
export async function host({ title, link, items }, unpacked) {
  files = unpacked;
  if (files.plotly) window.plotlyLoading ??= plotly();
  const main = document.querySelector("main");
  follow();
  await items.reduce((before, item) => before.then(() => drawn(item, main)), Promise.resolve());
  if (!main.querySelector("h1")) main.prepend(el("h1", {}, title));
  const live = link ? el("a", { href: link, rel: "noreferrer" }, "Open the live page") : null;
  main.append(el("p.note", {}, LIVE, " ", live));
  document.body.append(button());
  listen();
  main.dataset.drawn = "";
}

async function plotly() {
  const script = el("script", { src: await files.plotly() });
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error("plotly.js did not load"));
    document.head.append(script);
  });
}

function drawn(item, main) {
  if (item.is === "component") return WITHOUT[item.name]?.(item.data, main) ?? component(item, main);
  main.append(...WORDS[item.is](...item.words));
  return null;
}

// Words

const WORDS = {
  title: (name, sentence) => [el("h1", {}, name), el("p", {}, sentence)],
  heading: (name, sentence) => [el("h2", {}, name), sentence ? el("p.note", {}, sentence) : ""],
  note: (sentence) => [el("p.note", {}, sentence)],
  notice: (...sentences) => sentences.map((one) => el("p.notice", {}, one)),
  hint: (...words) => [hint("Try", ...words)],
};

const hint = (first, what, notice) =>
  el("p.hint", {}, el("b", {}, first), ` ${what} `, el("b", {}, "Notice"), ` ${notice}`);

// Components of which the words are enough

const WITHOUT = {
  thread: (data, main) => main.append(scene(data)) ?? true,
  controls: (data, main) => {
    const all = data.rows.flat();
    if (all.some(({ link }) => link)) return undefined; // it moves what is in the browser
    const section = all.find(({ name }) => name === "section"), others = all.filter((one) => one !== section);
    const said = others.map((one) => [one.label, valueOf(one)].filter(Boolean).join(": ")).filter(Boolean);
    main.append(section ? el("h2", {}, valueOf(section)) : "", said.length ? el("p.note", {}, said.join(" · ")) : "");
    return true;
  },
};

function scene({ question, do: what, notice }) {
  return el("section.scene", {}, el("h1", {}, question), what ? el("p", {}, el("b", {}, "Do"), ` ${what}`) : null,
    notice ? el("details", {}, el("summary", {}, "What is there to notice?"), el("p", {}, notice)) : null);
}

/** What a control stands at, in words; none of a button. */
function valueOf({ is, options, value, words, at, says }) {
  if (is === "button") return "";
  if (options) return options.find(([one]) => one === value)?.[1] ?? "";
  return says ?? (Array.isArray(words) ? words[at] : words);
}

// Components

async function component({ name, data, parts, isolated, asks }, main) {
  const item = el("div.item", { "data-name": name }), place = isolated ? item.attachShadow({ mode: "open" }) : item;
  const styles = ["", name, ...parts].map(sheet), scope = isolated ? place : document;
  scope.adoptedStyleSheets = [...new Set([...scope.adoptedStyleSheets, ...styles])];
  const within = parts.map((part) => el("div.framed", {}, el(`div.paper.${part}`)));
  place.append(el("div.framed", {}, el(`div.paper.${name}`, {}, ...within)));
  main.append(item);
  const script = await files.load(name);
  const draw = () => {
    script.default({ parentElement: place, data, setTriggerValue: answered, setStateValue: answered });
    offerPictures(place);
    if (asks) rest(place, name, data);
  };
  drawings.push(draw);
  draw();
}

function sheet(name) {
  if (!sheets.has(name)) {
    const made = new CSSStyleSheet();
    made.replaceSync(files.styles[name]);
    sheets.set(name, made);
  }
  return sheets.get(name);
}

/** What only Python could answer cannot be pressed; a slider that others in the browser follow can be moved. */
function rest(place, name, data) {
  if (name === "controls") {
    const linked = data.rows.flat().map(({ link }) => Boolean(link));
    place.querySelectorAll(".row > *").forEach((node, i) => { node.inert = !linked[i]; });
    return;
  }
  const pressed = [...place.querySelectorAll("input, select, button")].filter((node) => !node.closest(".save"));
  const rests = pressed.filter((node) => !(name === "surprise" && node.matches(".segment"))); // what its bars show
  for (const node of rests) node.inert = true;
  for (const node of place.querySelectorAll("textarea")) node.readOnly = true;
}

// The theme

const dark = matchMedia("(prefers-color-scheme: dark)"), page = document.documentElement;

function follow() {
  const again = () => drawings.forEach((draw) => draw());
  const printing = (is) => {
    if (print.on === is) return;
    print.on = is;
    again();
  };
  themed(dark.matches);
  dark.addEventListener("change", ({ matches }) => themed(matches));
  onPresenting(again);
  window.addEventListener("beforeprint", () => printing(true));
  window.addEventListener("afterprint", () => printing(false));
}

function themed(is) {
  page.dataset.theme = is ? "dark" : "light";
  drawings.forEach((draw) => draw());
}

const button = () => el("button.theme", { type: "button", onclick: () => themed(page.dataset.theme === "light") },
  "Light or dark");
