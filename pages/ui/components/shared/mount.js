// How every component begins: its own script runs once its style sheet is there, so that it can measure and read the
// palette.

/** Draw component `name` with what Streamlit hands over; its data are JSON in bytes. */
export default async function ({ data, ...component }, name) {
  const place = component.parentElement, turn = place.turn = (place.turn ?? 0) + 1;
  const [script] = await Promise.all([import(`../${name}/${name}.js`),
    ...[...place.querySelectorAll("link")].map(dressed)]);
  if (turn !== place.turn) return undefined; // newer data came while the style sheet was on its way
  return script.default({ ...component, data: JSON.parse(new TextDecoder().decode(data)) });
}

function dressed(link) {
  if (link.sheet) return null;
  return new Promise((done) => {
    link.addEventListener("load", done);
    link.addEventListener("error", done);
  });
}
