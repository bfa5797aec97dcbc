// The bar that plays the picture: reset, play/pause, slow, back, forward, position, and the named sub-steps.

import { _ } from "../shared/messages.js";
import { el, placeOf, resizeList, setText } from "../shared/component.js";
import { write } from "../shared/drawn.js";
import { icon, iconButton } from "../shared/icons.js";
import { player } from "../shared/player.js";

const SUB_STEP = 1250; // ms in slow motion
const TICK_ROOM = 14; // px a letter under the slider needs
const TRACK = 232; // px

/** The bar of one drawing. `head` moves the play head; `offer(data)` sets new data, `show(at)` the position. */
export function bar(head) {
  const buttons = {
    reset: iconButton("reset", _("To the beginning (Home)"), () => head.begin()),
    play: el("button.filled.play", { "data-key": "play", onclick: () => head.toggle() },
      icon("play"), icon("pause")),
    slow: iconButton("slow", _("Slow motion: every sub-step by name"), () => head.slow()),
    back: iconButton("back", _("A step back (left arrow)"), () => head.move(-1)),
    forward: iconButton("forward", _("A step forward (right arrow)"), () => head.move(1)),
    loop: iconButton("loop", _("Fold into the loop, and unfold again"), () => head.fold()),
    turn: iconButton("turn", _("Turn round: forward or backward"), () => head.turn()),
    both: iconButton("both", _("Forward, then backward, in one go"), () => head.both()),
  };
  const position = el("input", { type: "range", min: 0, step: 1, "aria-label": _("Position"),
    oninput: () => head.go(Number(position.value)) });
  const ticks = el("div.ticks", { "aria-hidden": "true" });
  const subs = el("div.subs", { role: "group", "aria-label": _("Sub-steps") });
  const node = el("div.panel.bar", { role: "toolbar", "aria-label": _("Play the picture") },
    ...Object.values(buttons), el("div.position", {}, position, ticks), subs);
  const parts = { ...buttons, position, ticks, subs };
  return { node, offer: (data) => offer(parts, data),
    show: (at, words, steps) => show(parts, at, words, steps, head) };
}

function offer({ position, ticks, loop, turn, both }, /** @type {Data<"network">} */ data) {
  const { columns, backward } = data.drawing;
  position.closest(".bar").toggleAttribute("data-aside", data.aside);
  loop.hidden = Boolean(backward);
  turn.hidden = both.hidden = !backward;
  position.max = columns.length - 1;
  const roomy = TRACK / columns.length >= TICK_ROOM && columns.every((column) => column.labels[0].length === 1);
  ticks.dataset.roomy = roomy;
  const wanted = roomy ? columns.map((column) => column.labels[0]) : [""];
  resizeList(ticks, wanted.length, () => el("bdi")).forEach((tick, i) => {
    tick.style.left = roomy ? placeOf(i, columns.length) : "";
    setText(tick, wanted[i]);
  });
}

function show({ reset, play, slow, back, forward, loop, turn, position, ticks, subs }, at, words, steps, head) {
  const start = at.back ? _("To the last step, where the backward pass begins") : _("To the beginning (Home)");
  for (const name of ["title", "aria-label"]) write(reset, name, start);
  turn.setAttribute("aria-pressed", String(at.back));
  if (subs.children.length !== steps.length)
    subs.replaceChildren(...steps.map((_, i) => el("button.sub", { onclick: () => head.sub(i) })));
  steps.forEach(([name], i) => setText(subs.children[i], name));
  for (const button of [back, forward]) delete button.dataset.key;
  (at.back ? back : forward).dataset.key = "step"; // the direction of the pass
  play.dataset.playing = head.playing;
  play.setAttribute("aria-label", head.playing ? _("Pause") : _("Play"));
  play.title = head.playing ? _("Pause (space)") : _("Play (space)");
  slow.setAttribute("aria-pressed", String(at.slow));
  slow.parentElement.toggleAttribute("data-slow", at.slow);
  loop.setAttribute("aria-pressed", String(at.folded));
  if (Number(position.value) !== at.step) position.value = at.step;
  position.style.setProperty("--share", `${(100 * at.step) / Math.max(at.T - 1, 1)}%`);
  const where = { step: at.step + 1, T: at.T, token: words[0] };
  position.setAttribute("aria-valuetext", at.back ? _("backward, step {step} of {T}: {token}", where)
    : _("step {step} of {T}: {token}", where));
  const roomy = ticks.dataset.roomy === "true"; // else its only text has the words of the step
  if (!roomy) setText(ticks.firstChild, _("{step} of {T}: {token}", where));
  [...ticks.children].forEach((tick, i) => tick.classList.toggle("present", !roomy || i === at.step));
  [...subs.children].forEach((sub, i) => {
    sub.dataset.is = i < at.sub ? "past" : i === at.sub ? "present" : "to come";
    sub.setAttribute("aria-current", i === at.sub ? "step" : "false");
  });
}

/** A player that moves the play head of a link, on input or in playback: one step (in slow motion one sub-step) at a
 * time. If its `drawing()` has a backward pass, it plays forward to the last step, then back to the first. It pauses at
 * the steps that the drawing `holds`; if it `repeats()`, it starts again after the end. */
export function makePlayer(link, { drawing, last, drawn, repeats }) {
  const { at } = link;
  const first = () => (at.back ? at.T - 1 : 0);
  const beginning = () => (at.slow ? 0 : last()); // the sub-step at which a step begins
  const turns = () => !at.back && Boolean(drawing().backward); // at the end of the forward pass
  const atEnd = () => at.sub === last() && at.step === (at.back ? 0 : at.T - 1) && !turns();
  const advance = () => {
    const next = at.step + (at.back ? -1 : 1);
    if (at.slow && at.sub < last()) link.set({ sub: at.sub + 1 });
    else if (next >= 0 && next < at.T) {
      link.set({ step: next, sub: beginning() });
      return at.back || !drawing().holds.includes(next);
    } else if (turns()) link.set({ back: true, sub: beginning() });
    else if (repeats()) link.set({ step: first(), sub: beginning() });
    else return false;
    return true;
  };
  const head = player({ advance, drawn, pace: () => (at.slow ? SUB_STEP : drawing().pace) });
  const moved = (changes) => {
    link.set(changes);
    head.wait();
  };
  const play = () => {
    if (atEnd()) link.set({ step: first(), sub: beginning() });
    head.play();
  };
  const go = (step) => link.go(step, { sub: last() });
  link.onGo = head.wait;
  link.onLeave = head.pause;
  return {
    get playing() { return head.playing; },
    pause: head.pause,
    play,
    go,
    toggle: () => (head.playing ? head.pause() : play()),
    slow: () => moved(at.slow ? { slow: false, sub: last() } : { slow: true }),
    move: (by) => go(at.step + by),
    begin: () => go(first()),
    turn: () => moved({ back: !at.back, step: at.back ? 0 : at.T - 1, sub: last() }),
    both: () => {
      link.set({ back: false, step: 0, sub: beginning() });
      play();
    },
    fold: () => link.set({ folded: !at.folded }),
    sub: (sub) => moved({ sub }),
  };
}
