/**
 * What makes a device of the home behave: things that happen by themselves, and things that take their time. Where the
 * home does not behave (tests that want a still one), nothing happens by itself and everything commanded is done at
 * once.
 */
import type { Characteristic } from '@homebridge/hap-nodejs';

export class Life {
  readonly #behaves: boolean;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(behaves: boolean) {
    this.#behaves = behaves;
  }

  /** Does something every so often, about: never twice in the same rhythm. */
  nowAndThen(everyMs: number, act: () => void): void {
    if (!this.#behaves) return;
    this.#later(everyMs * (0.5 + Math.random()), () => {
      act();
      this.nowAndThen(everyMs, act);
    });
  }

  /** Does something after a while, or at once in a home that does not behave. */
  after(delayMs: number, act: () => void): void {
    if (this.#behaves) this.#later(delayMs, act);
    else act();
  }

  /**
   * Moves a number towards its goal, a step at a time, and reports when it has arrived. A new goal may come meanwhile.
   */
  approach(value: Characteristic, goal: () => number, step: { by: number; everyMs: number }, arrived = () => {}): void {
    const current = Number(value.value);
    const rest = goal() - current;
    if (!this.#behaves || Math.abs(rest) <= step.by) {
      value.updateValue(goal());
      arrived();
      return;
    }
    this.#later(step.everyMs, () => {
      value.updateValue(round(current + Math.sign(rest) * step.by));
      this.approach(value, goal, step, arrived);
    });
  }

  /** Lets a measured number wander between two bounds. */
  wander(value: Characteristic, bounds: { from: number; to: number; by: number; everyMs: number }): void {
    this.nowAndThen(bounds.everyMs, () => {
      const next = Number(value.value) + (Math.random() * 2 - 1) * bounds.by;
      value.updateValue(round(Math.min(bounds.to, Math.max(bounds.from, next))));
    });
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #later(delayMs: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, delayMs);
    this.#timers.add(timer);
  }
}

/** To a tenth, as sensors report. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
