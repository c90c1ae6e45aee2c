/** The built daemon as a child process: started as a user would, watched, and stopped with one signal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const PROGRAM = resolve(import.meta.dirname, '../../bin/hearthd.js');
/** Longer than the daemon's own deadline for a graceful stop. */
const STOP_DEADLINE_MS = 25_000;
const LOG_TAIL_LINES = 20;
/** Settings of the user's own hearthd must not reach this one. */
const FOREIGN_VARIABLES = /^HEARTHD_|^(NOTIFY_SOCKET|STATE_DIRECTORY|WATCHDOG_)/;

export interface DaemonOptions {
  readonly dataDir: string;
  readonly port: number;
  /** For WebSockets; any free one by default, because another program may have the port after `port`. */
  readonly wsPort?: number;
  /** Further flags of `hearthd start`. */
  readonly flags?: readonly string[];
  /** Further variables of its environment. */
  readonly variables?: Readonly<Record<string, string>>;
  /** `bin/hearthd.js` of another build than this one. */
  readonly program?: string;
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[];
}

export class DaemonProcess {
  readonly dataDir: string;
  readonly url: string;
  /** Resolves with how it ended, for any cause. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;
  readonly #logFile: string;

  constructor({
    dataDir,
    port,
    wsPort = 0,
    flags = [],
    variables = {},
    program = PROGRAM,
    nodeFlags = [],
  }: DaemonOptions) {
    this.dataDir = dataDir;
    this.url = `http://127.0.0.1:${port}`;
    this.#logFile = join(dataDir, 'daemon.log');
    const log = openSync(this.#logFile, 'w', 0o600);
    const ports = ['--port', String(port), '--ws-port', String(wsPort)];
    const network = [...ports, '--host', '127.0.0.1', '--interface', 'lo'];
    this.#child = spawn(
      process.execPath,
      [...nodeFlags, program, 'start', '--data-dir', dataDir, ...network, ...flags],
      {
        stdio: ['ignore', log, log],
        // A process group of its own: Ctrl-C reaches the demo alone, which then stops the daemon once and in order.
        detached: true,
        env: {
          ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN_VARIABLES.test(name))),
          ...variables,
        },
      },
    );
    closeSync(log);
    this.exited = Promise.race([
      once(this.#child, 'exit').then(([code, signal]) =>
        signal ? `was killed by ${signal}` : `ended with code ${code}`,
      ),
      once(this.#child, 'error').then(([error]) => `could not be started: ${(error as Error).message}`),
    ]);
  }

  /** `undefined` where it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last lines that it logged, oldest first. */
  logTail(): string {
    return readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
  }

  /** Asks it to end, and ends it if it does not. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    const deadline = new AbortController();
    const late = delay(STOP_DEADLINE_MS, 'late', { signal: deadline.signal }).catch(() => 'in time');
    if ((await Promise.race([this.exited, late])) === 'late') this.#child.kill('SIGKILL');
    deadline.abort();
    await this.exited;
  }
}
