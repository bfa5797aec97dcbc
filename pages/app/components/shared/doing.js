// Whether what a scene asks for was done, as far as the browser knows: a button was pressed, or the address says it.

const EVERY = 250; // ms between two checks of the URL: no event tells in every browser that it has changed

/** Calls `done()` once, when it is; returns what ends the watching. `kind`, `what`: see core/content/scene.py. */
export function watching(kind, what, done) {
  return kind === "pressed" ? pressed(what, done) : kind === "address" ? addressed(what, done) : () => {};
}

function pressed(words, done) {
  const onClick = (event) => {
    const button = event.composedPath().find((node) => node instanceof Element && node.matches("button"));
    if (button?.textContent.trim() !== words) return;
    stop();
    done();
  };
  const stop = () => window.removeEventListener("click", onClick, true);
  window.addEventListener("click", onClick, true);
  return stop;
}

/** Not before the URL had another value: what it had from the beginning nobody did. */
function addressed(what, done) {
  const [name, value] = what.split("=");
  let armed = false, timer = null;
  const check = () => {
    const said = new URL(window.location.href).searchParams.get(name) ?? "";
    const is = value === "*" ? said !== "" : said === value;
    if (is && armed) done();
    else timer = setTimeout(check, EVERY);
    armed ||= !is;
  };
  check();
  return () => clearTimeout(timer);
}
