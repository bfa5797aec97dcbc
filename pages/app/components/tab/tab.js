// The names under which the server has stored sessions of this tab, the newest first, in sessionStorage. If the page
// was unloaded before its message arrived, the server does not know the newest name and uses the next one. A cookie
// tells the server in the first request that this browser may have names.

import { store, stored } from "../shared/storage.js";

const KEY = "dashboard tab", MOST = 4;
const COOKIE = "dashboard_was_here"; // as in pages/app/connection/tab_identity.py

export default function (/** @type {Component<"tab">} */ { data, setTriggerValue }) {
  const names = stored(KEY)?.split(" ") ?? [], before = names.filter((name) => name !== data.name);
  if (data.waits || (before.length && names[0] !== data.name)) setTriggerValue("names", before.join(" "));
  const isStored = store(KEY, [data.name, ...before].slice(0, MOST).join(" ")); // else every load is a new session
  if (isStored) document.cookie = `${COOKIE}=1; path=/; SameSite=Lax`; // until the browser is closed
}
