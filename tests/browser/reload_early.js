// Loads the page again before it has come up, three times.
const left = Number(sessionStorage.reloads ?? 3);
window.loaded = !left;
if (left) {
  sessionStorage.reloads = left - 1;
  setTimeout(() => location.reload(), 100 * left);
}
