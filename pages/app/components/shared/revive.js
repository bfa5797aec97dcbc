// Where a part of the page is drawn while the page is turned, Streamlit's tree of the page can throw ("Bad delta path
// index"), and all goes white for good. Then the page is loaded again; its tab finds the run as after any reload.

import { store, stored } from "./storage.js";

const KEY = "dashboard revived", PAUSE = 10_000; // ms: a page that goes white again at once stays so

/** See to it that `root`, into which the page is drawn, does not stay empty. */
export function revive(root = document.getElementById("root"), load = () => location.reload()) {
  if (!root) return;
  const watcher = new MutationObserver(() => {
    if (root.childElementCount || Date.now() - Number(stored(KEY)) < PAUSE) return;
    watcher.disconnect();
    store(KEY, String(Date.now()));
    load();
  });
  watcher.observe(root, { childList: true });
}
