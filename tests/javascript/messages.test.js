import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { _, lazy_gettext, ngettext, pieces, provide, useLanguage } from "../../pages/app/components/shared/messages.js";
import { el } from "../../pages/app/components/shared/component.js";

const CONSTANT = lazy_gettext("Play");

/** Use a language whose catalogue the server returns (null: network error); resolves with the requested files. */
async function speaking(language, catalogue) {
  const asked = [];
  provide({ [language]: `locale/${language}.json` });
  globalThis.fetch = async (url) => {
    asked.push(url.pathname.split("/").slice(-2).join("/"));
    if (!catalogue) throw new Error("offline");
    return { json: async () => catalogue };
  };
  await useLanguage(language);
  return asked;
}

afterEach(() => useLanguage("en"));

test("a message is in the language whose catalogue is there; one that it lacks stays English", async () => {
  assert.deepEqual(await speaking("de", { Play: ["Start"] }), ["locale/de.json"]);
  assert.deepEqual([_("Play"), _(CONSTANT), _("Pause"), _("toString")], ["Start", "Start", "Pause", "toString"]);
  assert.equal(document.documentElement.lang, "de");
  assert.deepEqual(await speaking("de", {}), []); // already loaded
  await useLanguage("en");
  assert.deepEqual([_("Play"), document.documentElement.lang], ["Play", "en"]);
});

test("a language whose catalogue does not come is English", async () => {
  await speaking("de", { Play: ["Start"] });
  await speaking("fr", null);
  assert.equal(_("Play"), "Play");
});

test("places are filled once, by name, in the order of the language; a place without a value stays", async () => {
  const values = { n: 0, text: "{n} $& <b>" };
  assert.equal(_("{n}: {text}{other}", values), "0: {n} $& <b>{other}");
  await speaking("de", { "{n}: {text}": ["{text} ({n})"] });
  assert.equal(_("{n}: {text}", values), "{n} $& <b> (0)");
});

test("the form of a number is that of the language, which may have one", async () => {
  const tokens = (n) => ngettext("{n} token", "{n} tokens", n, { n });
  assert.deepEqual([0, 1, 2].map(tokens), ["0 tokens", "1 token", "2 tokens"]);
  await speaking("zh", { "{n} token": ["{n} 个词元"] });
  assert.deepEqual([1, 2].map(tokens), ["1 个词元", "2 个词元"]);
  await speaking("de", { "{n} token": ["{n} Token", "{n} Tokens"] });
  assert.deepEqual([1, 2].map(tokens), ["1 Token", "2 Tokens"]);
});

test("nodes stand in the places of a message", () => {
  const given = { n: 2, list: ["a, ", el("bdi", {}, "{n}")] };
  const node = el("p", {}, ...pieces("{n} read: {list}.", given));
  assert.equal(node.innerHTML, "2 read: a, <bdi class=\"\">{n}</bdi>.");
});
