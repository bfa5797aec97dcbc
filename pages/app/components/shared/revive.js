// If a part of a page is drawn while another page is being opened, Streamlit's element tree can throw ("Bad delta path
// index"), and the page stays blank. It is then reloaded; the tab restores its run as after any reload.

import { store, stored } from "./storage.js";

const KEY = "dashboard revived", PAUSE = 10_000; // ms after a reload in which there is no other reload

/** Reload the page if `root`, the container of the app, becomes empty. */
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
