// How every component begins: its own script runs once its style sheet is there, so that it can measure and read the palette.

/** Draw component `name` with what Streamlit hands over; its data are JSON in bytes. */
export default async function ({ data, ...component }, name) {
  const [script] = await Promise.all([import(`./${name}.js`), dressed(component.parentElement.querySelector("link"))]);
  return script.default({ ...component, data: JSON.parse(new TextDecoder().decode(data)) });
}

function dressed(link) {
  if (link.sheet) return null;
  return new Promise((done) => { link.addEventListener("load", done); link.addEventListener("error", done); });
}
