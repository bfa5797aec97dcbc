// Values in the session storage of this tab. The browser's settings may forbid it.

/** The value of this key; null if there is none. */
export function stored(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Store a value; return whether that succeeded. */
export function store(key, value) {
  try {
    sessionStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
