// All tests in one process: it starts, and loads jsdom, once.

import { readdirSync } from "node:fs";

const names = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.js"));
await Promise.all(names.map((name) => import(`./${name}`)));
