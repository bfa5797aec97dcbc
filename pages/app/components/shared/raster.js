// A component as a PNG file: the browser draws a copy of it, with the styles of the page, as an image. Controls are
// left out.

import { el } from "./component.js";
import { facesOf } from "./fonts.js";
import { svg } from "./drawn.js";
import { textOf } from "./styles.js";

const SCALE = 3; // px of the file per CSS px
const MARGIN = 12; // px
const SHARP = 4; // px of a heat map's cell, at least
const LEFT_OUT = "[role=toolbar], .segments, .examples, .ask, .remark, div.tip, button:is(.filled, .outlined), "
  + "input:is([type=range], [type=checkbox], :placeholder-shown)";
const VARIABLES = ["--st-font", "--st-code-font", "--background"]; // of the page, outside of components

/** The PNG of `root`, as a blob. A drawing that scrolls sideways is drawn whole. */
export async function pngOf(root) {
  const beyond = Math.max(0, ...[...root.querySelectorAll("*")].map((node) =>
    (/auto|scroll/.test(getComputedStyle(node).overflowX) ? node.scrollWidth - node.clientWidth : 0)));
  const page = el("div", { style: `width:${root.clientWidth + beyond}px;${variablesOf(root)}` });
  page.append(el("style", {}, stylesOf(root)), copyOf(root));
  const height = heightOf(page), faces = await facesOf([root, ...root.querySelectorAll("*")]);
  page.firstChild.append(faces);
  return drawn(page, root.clientWidth + beyond, height);
}

const variablesOf = (root) => {
  const style = getComputedStyle(root), given = VARIABLES.map((name) => `${name}:${style.getPropertyValue(name)}`);
  return ["--scale:1", "container-type:inline-size", ...given].join(";").replace(/"/g, "'");
};

/** The text of the style sheets of `root`. Those of components are not read from the page, which writes a shorthand
 * with a variable, followed by one of its properties, without its values. */
function stylesOf(root) {
  const rules = [...root.getRootNode().styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  const ofPage = rules.filter((rule) => !(rule instanceof CSSFontFaceRule)).map(({ cssText }) => cssText);
  const names = [root, ...root.querySelectorAll(".component")].map(({ classList }) => classList[1]);
  return [...ofPage, ...["shared", ...names].map(textOf), `:is(${LEFT_OUT}){display:none!important}`].join("");
}

/** A copy with the content of heat maps and fields, which `cloneNode` leaves out. */
function copyOf(root) {
  const copy = root.cloneNode(true), all = (kind) => [...root.querySelectorAll(kind)].map((node, i) =>
    [node, copy.querySelectorAll(kind)[i]]);
  for (const [node, to] of all("canvas"))
    to.style.background = `url(${dataOf(node)}) 0 0 / 100% 100%`;
  for (const [node, to] of all("input")) to.setAttribute("value", node.value);
  for (const [node, to] of all("textarea")) to.textContent = node.value;
  for (const [node, to] of all("option")) to.toggleAttribute("selected", node.selected);
  return copy;
}

function dataOf(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const times = Math.ceil(SHARP * Math.max(width / canvas.width, height / canvas.height) || 1);
  const large = document.createElement("canvas");
  Object.assign(large, { width: canvas.width * times, height: canvas.height * times });
  const context = large.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, 0, 0, large.width, large.height);
  return large.toDataURL();
}

/** The height in px that the page of a picture takes with its own styles. */
function heightOf(page) {
  const host = el("div", { style: "position:absolute;visibility:hidden;zoom:1" });
  host.attachShadow({ mode: "open" }).append(page);
  document.documentElement.append(host);
  const height = page.offsetHeight;
  host.remove();
  return height;
}

async function drawn(page, width, height) {
  const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN], image = new Image(wide, high);
  const text = new XMLSerializer().serializeToString(svg("svg",
    { xmlns: "http://www.w3.org/2000/svg", width: wide, height: high, style: page.style.cssText },
    svg("rect", { width: "100%", height: "100%", style: "fill:var(--background)" }),
    svg("foreignObject", { x: MARGIN, y: MARGIN, width, height, style: "overflow:visible" }, page)));
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: SCALE * wide, height: SCALE * high });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done); });
}
