// The messages of a component to Python, {value, count}. The count grows, so that equal values are two messages, and
// the data from Python contain the highest count that it has handled. Each message is sent after the answer to the
// previous one, because Streamlit keeps only the newest of several messages that arrive while its script runs. One that
// may have been lost is sent again: Python handles a count once.

import { awaitAnswer, connected, mayBeLost } from "./connection.js";

const LIMIT = 5000; // ms after which an unanswered message is sent again; twice as long each time

/** The message functions for a component's script. Each returns a promise of whether the message was answered; it was
 * not if the component left the page before. They stay valid while the component is on the page. */
export function channel(place) {
  const queued = (name) => (event, value) => {
    const turn = place.answer ?? Promise.resolve();
    place.answer = turn.then(() => send(place, name, event, value));
    awaitAnswer(place, place.answer);
    return place.answer;
  };
  return { setStateValue: queued("setStateValue"), setTriggerValue: queued("setTriggerValue") };
}

async function send(place, name, event, value) {
  const count = place.count = Math.max((place.count ?? 0) + 1, Date.now()); // the time: it grows across remounts, too
  const answered = new Promise((resolve) => { place.resolve = resolve; });
  for (let wait = LIMIT; place.isConnected && !(place.answered >= count); wait *= 2) {
    await connected(); // eslint-disable-line no-await-in-loop
    if (!place.isConnected) break; // Python may draw another component with its key by now
    if (name === "setTriggerValue") holdState(place, count); // first: the event may open another page
    place.component[name](event, { value, count });
    await Promise.race([answered, mayBeLost(), after(wait)]); // eslint-disable-line no-await-in-loop
  }
  return place.answered >= count;
}

const after = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Set a state, because Streamlit drops unhandled events of components without a state when another page is opened.
 * Only once for each component, because a state is a message of its own. */
function holdState(place, count) {
  if (!place.holdsState) place.component.setStateValue("count", count);
  place.holdsState = true;
}

/** Record that Python has handled the messages of `component` up to this count. */
export function acknowledge(component, answered) {
  const place = component.parentElement;
  place.component = component; // later messages use its functions
  place.count = Math.max(place.count ?? 0, answered); // the clock may have been set back
  place.answered = answered;
  if (answered >= place.count) place.resolve?.(); // else it is the answer to an earlier one
}
