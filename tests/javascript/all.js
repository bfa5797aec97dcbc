// All tests in one process, which loads jsdom only once. The files run one after the other: they share the document.

import { readdirSync } from "node:fs";

const names = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.js"));
await names.sort().reduce((before, name) => before.then(() => import(`./${name}`)), Promise.resolve());
