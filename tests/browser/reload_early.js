// Reload the page three times before it has finished loading.
const left = Number(sessionStorage.reloads ?? 3);
window.loaded = !left;
if (left) {
  sessionStorage.reloads = left - 1;
  setTimeout(() => location.reload(), 100 * left);
}
