/** How late the event loop of a daemon is, as the daemon itself reports once a second. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

const PROBE = pathToFileURL(join(import.meta.dirname, 'loop-probe.mjs')).href;

/** Milliseconds, of the last second. */
interface Lateness {
  readonly p99: number;
  readonly max: number;
}

export class LoopProbe {
  readonly #directory: TempDirectory = createTempDirectory('probe');
  readonly #file = this.#directory.file('loop.json');

  /** What the daemon is started with. */
  get variables(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import ${PROBE}`, LOOP_PROBE_FILE: this.#file };
  }

  read(): Lateness {
    return JSON.parse(readFileSync(this.#file, 'utf8')) as Lateness;
  }

  remove(): void {
    this.#directory.remove();
  }
}
