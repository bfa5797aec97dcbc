// The URL and the browser's history. Streamlit pushes an entry for every change of the URL; here only another page and
// a section that the user chose get one, to which "back" returns; all else replaces the entry. The position of the play
// head and presentation mode stay in the URL, of which the server does not know.
import { beginLoading } from "./loading.js";
import { cancelRequest, requestSection } from "./sections.js";

const { history, location } = window, PRESENT = "present";
const [push, replace] = [history.pushState, history.replaceState].map((write) => write.bind(history));
const loaded = performance.getEntriesByType?.("navigation")[0]?.name; // Firefox reports "document" for a local file
export const requested = new URL(loaded?.includes(":") ? loaded : location.href); // before Streamlit rewrote it
export const playheads = new Map(); // path -> the position of the play head in its URL, or null
let presented = requested.searchParams.get(PRESENT) === "1", isChosen = false, path = location.pathname;
export const sectionOf = (url) => url.searchParams.get("section");
const setParam = (url, name, value) => (value ? url.searchParams.set(name, value) : url.searchParams.delete(name));
const writing = (write) => (state, title, to) => {
  const now = new URL(location.href), url = new URL(to ?? now, now), isOtherPage = url.pathname !== now.pathname;
  if (playheads.has(url.pathname)) setParam(url, "step", playheads.get(url.pathname));
  setParam(url, PRESENT, presented ? "1" : null);
  const isEntry = isOtherPage || (isChosen && sectionOf(url) !== sectionOf(now));
  isChosen &&= !isEntry;
  if (isOtherPage) beginLoading();
  path = url.pathname;
  (isEntry ? write : replace)(state, title, url.href);
};
[history.pushState, history.replaceState] = [writing(push), writing(replace)];
export const rewriteUrl = () => history.replaceState(history.state, "", location.href);

window.addEventListener("popstate", (event) => {
  const url = new URL(location.href), isSamePage = url.pathname === path;
  path = url.pathname;
  if (presented !== url.searchParams.has(PRESENT)) rewriteUrl(); // the entry is older than the change of mode
  if (!isSamePage) {
    cancelRequest();
    beginLoading();
  } else if (requestSection(sectionOf(url))) event.stopImmediatePropagation(); // else Streamlit opens the page anew
}, true); // before Streamlit's own listener

/** Open the section that the user chose; "back" will return to the previous one. */
export function chooseSection(name) {
  isChosen = true;
  requestSection(name);
}

export const isPresented = () => presented;
export function writePresented(is) {
  presented = is;
  rewriteUrl();
}

if (presented) rewriteUrl(); // Streamlit has rewritten the URL without this parameter
