// Record every update that the page shows, from the first one on.
window.updates = new Set();
setInterval(() => {
  const name = [...document.querySelectorAll(".readout dl .line dt")].find((name) => name.innerText === "update");
  const said = name?.closest(".line").querySelector("dd").innerText.replace(/\D/g, "");
  if (said) window.updates.add(Number(said));
}, 5);
