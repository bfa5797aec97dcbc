// All tests in one process: it starts, and loads jsdom, once. One file after the other: they share the document.

import { readdirSync } from "node:fs";

const names = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.js"));
await names.sort().reduce((before, name) => before.then(() => import(`./${name}`)), Promise.resolve());
