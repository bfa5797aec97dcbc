// Values in the browser's session storage, which only this tab has. A reader may allow none.

/** The value of this key; null where there is none. */
export function stored(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Returns whether the value could be stored. */
export function store(key, value) {
  try {
    sessionStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
