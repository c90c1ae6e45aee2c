/** The wall clock of the daemon in an endurance run, which can be set. The run's own stays right. */
import { renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BuiltDaemonOptions } from '../support/built-daemon.ts';

const PRELOAD = fileURLToPath(new URL('./shifted-clock.mjs', import.meta.url));
/** The automations' limit to being late is five minutes; the rest is for what else makes things late. */
const FAR_MS = 4 * 60_000;

export class WallClock {
  readonly #file: string;
  #wrongBy = 0;
  #farJumps = 0;

  /** @param file where it may keep by how much it is wrong */
  constructor(file: string) {
    this.#file = file;
    this.#write();
  }

  /** With these the daemon has this clock. */
  get daemonOptions(): Required<Pick<BuiltDaemonOptions, 'nodeFlags' | 'variables'>> {
    return { nodeFlags: ['--import', PRELOAD], variables: { ENDURANCE_CLOCK_FILE: this.#file } };
  }

  now(): number {
    return Date.now() + this.#wrongBy;
  }

  /** What it shows when the true time is this. */
  shownAt(trueTime: number): number {
    return trueTime + this.#wrongBy;
  }

  /** How often it was set ahead by so much that a thing may have become too late. */
  get farJumps(): number {
    return this.#farJumps;
  }

  /** @param byMs negative sets it back */
  set(byMs: number): void {
    if (byMs >= FAR_MS) this.#farJumps += 1;
    this.#wrongBy += byMs;
    this.#write();
  }

  #write(): void {
    const next = `${this.#file}.next`;
    writeFileSync(next, String(this.#wrongBy));
    renameSync(next, this.#file);
  }
}
