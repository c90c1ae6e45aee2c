/** The daemon of an endurance run, one life after the other on one data directory, and looks at its process. */
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { checkDatabase } from '../../src/storage/database.ts';
import { residentMb } from '../bench/process-stats.ts';
import { BuiltDaemon, type BuiltDaemonOptions } from '../support/built-daemon.ts';
import type { Answer } from '../support/e2e-relay.ts';
import type { Ledger } from './ledger.ts';
import type { Sample } from './report.ts';

const SAMPLE_EVERY_MS = 5_000;
/** A command ends within ten seconds; the rest is for a computer that has other things to do. */
const ANSWER_WITHIN_MS = 120_000;

export class Lives {
  readonly samples: Sample[] = [];
  /** Milliseconds from the start of the process until it served. */
  readonly ready: number[] = [];
  readonly #options: BuiltDaemonOptions;
  readonly #ledger: Ledger;
  #daemon: BuiltDaemon | undefined;
  #up: Promise<BuiltDaemon>;
  #count = 0;
  #readyAt = 0;
  #sampling: NodeJS.Timeout | undefined;

  constructor(options: BuiltDaemonOptions, ledger: Ledger) {
    this.#options = options;
    this.#ledger = ledger;
    this.#up = this.#begin();
  }

  /** How many there have been. */
  get count(): number {
    return this.#count;
  }

  /** Resolves when one serves. */
  get up(): Promise<BuiltDaemon> {
    return this.#up;
  }

  /** @throws where the daemon ends meanwhile, or never answers */
  async asSystem(method: string, path: string, body?: unknown): Promise<Answer> {
    const daemon = await this.#up;
    const late = new AbortController();
    const never = delay(ANSWER_WITHIN_MS, undefined, { signal: late.signal }).then(() => {
      const what = `no answer to ${method} ${path}`;
      this.#ledger.wrong('failure', what);
      throw new Error(what);
    });
    try {
      return await Promise.race([daemon.asSystem(method, path, body), never]);
    } finally {
      never.catch(() => {});
      late.abort();
    }
  }

  /** @throws each answer that is no success */
  async ask(method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.asSystem(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Ends this life by a signal and begins the next one. Resolves when that serves. */
  async next(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const before = await this.#up;
    this.#up = this.#end(before, signal).then(() => this.#begin());
    await this.#up;
  }

  /** Open files and sockets of the process. */
  files(): number {
    return readdirSync(`/proc/${this.#daemon?.pid}/fd`).length;
  }

  /** The last one. */
  async stop(): Promise<void> {
    clearInterval(this.#sampling);
    const daemon = await this.#up.catch(() => undefined);
    if (daemon) await this.#end(daemon, 'SIGTERM');
  }

  async #end(daemon: BuiltDaemon, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    clearInterval(this.#sampling);
    const how = await daemon.end(signal);
    if (how !== (signal === 'SIGTERM' ? 0 : signal)) this.#ledger.wrong('failure', `the daemon ended with ${how}`);
    const damage = checkDatabase(`${daemon.dataDir}/relay.db`);
    if (damage !== undefined) this.#ledger.wrong('failure', `the database is damaged: ${JSON.stringify(damage)}`);
  }

  async #begin(): Promise<BuiltDaemon> {
    const from = performance.now();
    const daemon = await BuiltDaemon.start(this.#options);
    this.#readyAt = performance.now();
    this.ready.push(this.#readyAt - from);
    this.#count += 1;
    this.#daemon = daemon;
    this.#sampling = setInterval(() => this.#sample(daemon), SAMPLE_EVERY_MS);
    return daemon;
  }

  #sample(daemon: BuiltDaemon): void {
    if (!daemon.isRunning) return;
    const at = performance.now() - this.#readyAt;
    this.samples.push({ life: this.#count, at, mb: residentMb(daemon.pid), files: this.files() });
  }
}
