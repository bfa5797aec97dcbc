// Playback of one step after the other, up to the last.

/** `advance()` does one step and returns false at the end; `pace()` is the time in ms until the next one; `drawn()` is
 * called when playback starts or stops. `wait()` restarts the interval. */
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
