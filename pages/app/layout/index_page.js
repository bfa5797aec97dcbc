// Runs before all other scripts, also in browsers that do not understand those.
// A deep link otherwise costs two failed requests: Streamlit's script first looks for the server below the page's path.
// This variable is for those who send its page with changes (https://github.com/streamlit/streamlit/pull/11378).
window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };
document.getElementById("too-old").hidden = "withResolvers" in Promise && "popover" in HTMLElement.prototype
  && CSS.supports("selector(:has(a))") && CSS.supports("selector(& a)");
