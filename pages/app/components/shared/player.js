// What plays: it goes on, one thing at a time, until there is nothing more.

/**
 * `advance()` does the next thing, or says false where there is none; `pace()` is the time in ms until then, and
 * `drawn()` is told that it began or ended. `wait()` begins the time anew.
 */
export function player({ advance, pace, drawn }) {
  let due = 0, frame = null;
  const tick = (now) => {
    if (frame === null) return;
    if (now >= due) {
      if (advance() === false) {
        self.pause();
        return;
      }
      due = Math.max(due + pace(), now);
    }
    frame = requestAnimationFrame(tick);
  };
  const self = {
    get playing() { return frame !== null; },
    wait() { due = performance.now() + pace(); },
    play() {
      self.wait();
      frame = requestAnimationFrame(tick);
      drawn();
    },
    pause() {
      cancelAnimationFrame(frame);
      frame = null;
      drawn();
    },
    toggle() {
      if (self.playing) self.pause();
      else self.play();
    },
  };
  return self;
}
