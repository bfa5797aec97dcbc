// The first script of a page that was saved as a file (page_file.py). It unpacks the data and the other scripts, which
// are in the file itself, or in two script files beside it that put them into `window.packed`.

(async () => {
  const text = (id) => document.getElementById(id)?.textContent ?? window.packed?.[id];
  const unpacked = (id) => {
    const letters = atob(text(id)), bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  };
  const address = (script) => URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { component, load } = await import(address(await unpacked("scripts")));
  const plotly = text("plotly") ? async () => address(await unpacked("plotly")) : null;
  await load("shared/messages.js").useLanguage(document.documentElement.lang);
  await load("shared/page_host.js").host(JSON.parse(await unpacked("page")), { load: component, plotly });
})().catch((error) => {
  console.error(error);
  document.querySelector("main").append("This browser is too old to draw this page.");
});
