// The messages of a component to Python, {value, count}. The count grows, so that equal values are two messages, and
// the data from Python contain the highest count that it has handled. Each message is sent after the answer to the
// previous one, because Streamlit keeps only the newest of several messages that arrive while its script runs.

const LIMIT = 5000; // ms after which the next message is sent without an answer: a lost connection loses messages

/** The message functions for a component's script. Each returns a promise of whether the message was answered. They
 * stay valid while the component is on the page. */
export function channel(place) {
  const queued = (name) => (event, value) => {
    const turn = place.answer ?? Promise.resolve();
    place.answer = turn.then(() => send(place, name, event, value));
    return place.answer;
  };
  return { setStateValue: queued("setStateValue"), setTriggerValue: queued("setTriggerValue") };
}

async function send(place, name, event, value) {
  if (!place.isConnected) return false; // the component has left the page, and Python may draw another one by now
  const count = place.count = Math.max((place.count ?? 0) + 1, Date.now()); // the time: it grows across remounts, too
  place.component[name](event, { value, count });
  if (name === "setTriggerValue") holdState(place, count);
  return new Promise((resolve) => {
    place.unanswered = { count, resolve };
    setTimeout(resolve, LIMIT, false);
  });
}

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
  if (answered >= place.unanswered?.count) place.unanswered.resolve(true);
}
