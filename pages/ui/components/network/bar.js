// The bar that plays the picture: reset, play/pause, slow, back, forward, position, and the named sub-steps.

import { el, listed, setText } from "../shared/paper.js";
import { still } from "../shared/drawn.js";
import { icon, iconButton } from "../shared/icons.js";

const SUB_STEP = 1250; // ms in slow motion
const TICK_ROOM = 14; // px a letter under the slider needs
const TRACK = 232; // px

/** The bar of one drawing. `player` moves the head; `offer(data)` shows new data, `show(at)` where the head is. */
export function bar(player) {
  const play = el("button.filled.play", { type: "button", onclick: () => player.toggle() });
  play.append(icon("play"), icon("pause"));
  const slow = iconButton("slow", "Slow motion: every sub-step by name", () => player.slow());
  const loop = iconButton("loop", "Fold into the loop, and unfold again", () => player.fold());
  const turn = iconButton("turn", "Turn round: forward or backward", () => player.turn());
  const both = iconButton("both", "Forward, then backward, in one go", () => player.both());
  const reset = iconButton("reset", "To the beginning (Home)", () => player.begin());
  const position = el("input", { type: "range", min: 0, step: 1, "aria-label": "Position" });
  position.oninput = () => player.go(Number(position.value));
  const ticks = el("div.ticks", { "aria-hidden": "true" });
  const subs = el("div.subs", { role: "group", "aria-label": "Sub-steps" });
  const node = el("div.panel.bar", { role: "toolbar", "aria-label": "Play the picture" },
    reset, play, slow,
    iconButton("back", "A step back (left arrow)", () => player.move(-1)),
    iconButton("forward", "A step forward (right arrow)", () => player.move(1)),
    loop, turn, both, el("div.position", {}, position, ticks), subs);
  const parts = { reset, play, slow, loop, turn, both, position, ticks, subs };
  return { node, offer: (data) => offer(parts, data),
    show: (at, words, steps) => show(parts, at, words, steps, player) };
}

function offer({ position, ticks, loop, turn, both }, data) {
  const { columns, backward } = data.scene;
  loop.hidden = Boolean(backward);
  turn.hidden = both.hidden = !backward;
  position.max = columns.length - 1;
  const roomy = TRACK / columns.length >= TICK_ROOM && columns.every((column) => column.said[0].length === 1);
  ticks.dataset.roomy = roomy;
  const wanted = roomy ? columns.map((column) => column.said[0]) : [""];
  listed(ticks, wanted.length, () => el("bdi")).forEach((tick, i) => {
    tick.style.left = roomy ? `calc(9px + ${i / Math.max(columns.length - 1, 1)} * (100% - 18px))` : "";
    setText(tick, wanted[i]);
  });
}

function show({ reset, play, slow, loop, turn, position, ticks, subs }, at, words, steps, player) {
  const start = at.back ? "To the last step, where the way back begins" : "To the beginning (Home)";
  if (reset.title !== start) {
    reset.title = start;
    reset.setAttribute("aria-label", start);
  }
  turn.setAttribute("aria-pressed", String(at.back));
  if (subs.children.length !== steps.length)
    subs.replaceChildren(...steps.map((_, i) => el("button.sub", { type: "button", onclick: () => player.sub(i) })));
  steps.forEach(([name], i) => setText(subs.children[i], name));
  play.dataset.playing = player.playing;
  play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
  play.title = player.playing ? "Pause (space)" : "Play (space)";
  slow.setAttribute("aria-pressed", String(at.slow));
  loop.setAttribute("aria-pressed", String(at.folded));
  if (Number(position.value) !== at.step) position.value = at.step;
  position.style.setProperty("--share", `${(100 * at.step) / Math.max(at.T - 1, 1)}%`);
  position.setAttribute("aria-valuetext", `${at.back ? "backward, " : ""}step ${at.step + 1} of ${at.T}: ${words[0]}`);
  if (ticks.dataset.roomy === "true")
    [...ticks.children].forEach((tick, i) => tick.classList.toggle("present", i === at.step));
  else {
    setText(ticks.firstChild, `${at.step + 1} of ${at.T}: ${words[0]}`);
    ticks.firstChild.classList.add("present");
  }
  [...subs.children].forEach((sub, i) => {
    sub.dataset.is = i < at.sub ? "past" : i === at.sub ? "present" : "to come";
    sub.setAttribute("aria-current", i === at.sub ? "step" : "false");
  });
}

/**
 * Moves the play head of a link: by hand, or by itself, a step (in slow motion a sub-step) at a time. Where there is a
 * way back (`returns`), the play turns round at the last step and ends at the first.
 */
export function makePlayer(link, { pace, last, drawn, returns }) {
  let due = 0, frame = null;
  const player = {
    get playing() { return frame !== null; },
    toggle() {
      if (player.playing) player.pause();
      else player.play();
    },
    play() {
      link.set({ folded: false });
      if (atEnd()) link.set({ step: first(), sub: link.at.slow ? 0 : last() });
      due = performance.now() + duration();
      frame = requestAnimationFrame(tick);
      drawn();
    },
    pause() {
      cancelAnimationFrame(frame);
      frame = null;
      drawn();
    },
    slow() {
      const slow = !link.at.slow;
      link.set({ slow, ...(slow ? {} : { sub: last() }) });
      due = performance.now() + duration();
    },
    go(step) {
      link.set({ step: Math.max(0, Math.min(link.at.T - 1, step)), sub: last() });
      due = performance.now() + duration();
    },
    move(by) { player.go(link.at.step + by); },
    begin() { player.go(first()); },
    turn() {
      link.set({ back: !link.at.back, step: link.at.back ? 0 : link.at.T - 1, sub: last() });
      due = performance.now() + duration();
    },
    both() {
      link.set({ back: false, step: 0, sub: link.at.slow ? 0 : last() });
      player.play();
    },
    fold() {
      player.pause();
      link.set({ folded: !link.at.folded });
    },
    sub(sub) {
      link.set({ sub });
      due = performance.now() + duration();
    },
  };
  const first = () => (link.at.back ? link.at.T - 1 : 0);
  const atEnd = () => {
    const { step, sub, T, back } = link.at;
    return sub === last() && (back ? step === 0 : step === T - 1 && !returns());
  };
  const duration = () => (link.at.slow ? SUB_STEP : pace());
  const tick = (now) => {
    if (frame === null) return;
    if (now >= due) {
      if (!advance()) return player.pause();
      due = Math.max(due + duration(), now);
    }
    frame = requestAnimationFrame(tick);
  };
  const advance = () => {
    const { step, sub, T, slow, back } = link.at, next = step + (back ? -1 : 1), start = slow ? 0 : last();
    if (slow && sub < last()) link.set({ sub: sub + 1 });
    else if (next >= 0 && next < T) link.set({ step: next, sub: start });
    else if (!back && returns()) link.set({ back: true, sub: start });
    else return false;
    return true;
  };
  return player;
}

export const travels = (at) => at.slow && !still();
