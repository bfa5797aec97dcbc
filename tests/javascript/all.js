// All tests in one process: it starts, and loads jsdom, once. One file after the other: they share the document.

import { readdirSync } from "node:fs";

const names = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.js"));
for (const name of names.sort()) await import(`./${name}`);
