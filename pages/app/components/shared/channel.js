// The messages of a component to Python, {value, count}: the count grows, so equal values are two messages, and
// with every drawing comes the highest count that Python has handled. Messages are sent one after the other, each when
// the one before it was answered: of several that come while its script runs, Streamlit keeps only the newest.

const LIMIT = 5000; // ms after which the next message is sent without an answer: it can be lost, as with a connection

/** The functions that a component's script is given. Each returns a promise: whether the message was answered. */
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
  const count = place.count = Math.max((place.count ?? 0) + 1, Date.now()); // the time, as the component may come back
  place.component[name](event, { value, count });
  if (name === "setTriggerValue") holdState(place, count);
  return new Promise((resolve) => {
    place.unanswered = { count, resolve };
    setTimeout(resolve, LIMIT, false);
  });
}

/** Where another page is opened, Streamlit drops unhandled events of components without a state. Once for each
 * component, as a state is a message of its own. */
function holdState(place, count) {
  if (!place.holdsState) place.component.setStateValue("count", count);
  place.holdsState = true;
}

/** With a drawing of `component` came that Python has handled its messages up to this count. */
export function acknowledge(component, answered) {
  const place = component.parentElement;
  place.component = component; // what is sent later goes by its functions
  place.count = Math.max(place.count ?? 0, answered); // the clock may have been set back
  if (answered >= place.unanswered?.count) place.unanswered.resolve(true);
}
