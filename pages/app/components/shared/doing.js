// Whether what a scene asks for was done, as far as the browser knows: a button was pressed, or the address says it.

const EVERY = 250; // ms between two looks at the address: nothing tells that it has changed

/** Calls `done()` once, when it is; returns what ends the watching. `kind`, `what`: see core/content/scene.py. */
export function watching(kind, what, done) {
  return kind === "pressed" ? pressed(what, done) : kind === "address" ? addressed(what, done) : () => {};
}

function pressed(words, done) {
  const hear = (event) => {
    const button = event.composedPath().find((node) => node instanceof Element && node.matches("button"));
    if (button?.textContent.trim() !== words) return;
    leave();
    done();
  };
  const leave = () => window.removeEventListener("click", hear, true);
  window.addEventListener("click", hear, true);
  return leave;
}

/** Not before the address was seen to say something else: what was there from the beginning nobody did. */
function addressed(what, done) {
  const [name, value] = what.split("=");
  let armed = false, timer = null;
  const look = () => {
    const said = new URL(window.location.href).searchParams.get(name) ?? "";
    const is = value === "*" ? said !== "" : said === value;
    if (is && armed) done();
    else timer = setTimeout(look, EVERY);
    armed ||= !is;
  };
  look();
  return () => clearTimeout(timer);
}
