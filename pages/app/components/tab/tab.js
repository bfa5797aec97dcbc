// The names under which the server finds what this tab left when it was here before, in storage of the tab's own; the
// newest first. One leads nowhere where the page was left before the server heard of it: then the next one counts.
// A cookie tells the server, before anything of the page is there, that this browser may have such a name.

import { store, stored } from "../shared/storage.js";

const KEY = "dashboard tab", MOST = 4;
const COOKIE = "dashboard_was_here"; // as in pages/app/connection/tab_identity.py

export default function (/** @type {Component<"tab">} */ { data, setTriggerValue }) {
  const names = stored(KEY)?.split(" ") ?? [], before = names.filter((name) => name !== data.name);
  if (data.waits || (before.length && names[0] !== data.name)) setTriggerValue("names", before.join(" "));
  const kept = store(KEY, [data.name, ...before].slice(0, MOST).join(" ")); // else every visit is the first
  if (kept) document.cookie = `${COOKIE}=1; path=/; SameSite=Lax`; // until the browser is closed
}
