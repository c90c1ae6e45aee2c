/**
 * The daemon as it is installed: compiled into a folder of its own, so that no other `dist` matters, and run as a
 * process. What only a whole process can show is proved with it: modes, signals, memory, what it prints and what it
 * sends.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce, ROOT } from './built-once.ts';
import { type Answer, asSystem, eventually } from './e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from './temp-directory.ts';

const CONFIG = ['-c', 'src/rolldown.config.js'];
const SOURCES = ['src', 'tsconfig.json', 'package-lock.json'];

export interface BuiltProgram extends Disposable {
  /** `bin/hearthd.js` of the build. */
  readonly path: string;
}

/** Does what `npm run build` does but for the pages, elsewhere. */
export function buildProgram(): BuiltProgram {
  const folder = createTempDirectory('build');
  const built = builtOnce({ label: 'hearthd-daemon', dist: 'dist', sources: SOURCES, build: compile });
  for (const part of ['daemon', 'storage']) cpSync(join(built, part), folder.file('dist', part), { recursive: true });
  mkdirSync(folder.file('bin'));
  for (const file of ['bin/hearthd.js', 'package.json']) copyFileSync(join(ROOT, file), folder.file(file));
  symlinkSync(join(ROOT, 'node_modules'), folder.file('node_modules'));
  return { path: folder.file('bin/hearthd.js'), [Symbol.dispose]: () => folder.remove() };
}

function compile(folder: string): void {
  execFileSync(join(ROOT, 'node_modules/.bin/rolldown'), [...CONFIG, '--dir', join(folder, 'daemon')], {
    cwd: ROOT,
  });
  cpSync(join(ROOT, 'src/storage/migrations'), join(folder, 'storage/migrations'), { recursive: true });
}

export interface BuiltDaemonOptions {
  readonly program: BuiltProgram;
  /** It goes on in this directory, which its owner removes; one of its own unless given. */
  readonly directory?: TempDirectory;
  /** Put before the command: `ip netns exec …`, `unshare …`. Each must become the next by `exec`. */
  readonly before?: readonly string[];
  readonly nodeFlags?: readonly string[];
  /** In place of `--interface lo --host 127.0.0.1`. */
  readonly network?: readonly string[];
  readonly flags?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

export class BuiltDaemon implements AsyncDisposable {
  readonly directory: TempDirectory;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  readonly #child: ChildProcess;
  readonly #options: BuiltDaemonOptions;
  #out = '';
  #err = '';

  /** Starts it and does not wait. */
  constructor(options: BuiltDaemonOptions) {
    this.#options = options;
    this.directory = options.directory ?? createTempDirectory('built');
    const { program, before = [], nodeFlags = [], flags = [] } = options;
    const network = options.network ?? ['--interface', 'lo', '--host', '127.0.0.1'];
    const start = ['start', '--data-dir', this.dataDir, '--port', '0', '--log-format', 'json', ...network, ...flags];
    const [command = '', ...words] = [...before, process.execPath, ...nodeFlags, program.path, ...start];
    this.#child = spawn(command, words, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: '/',
      env: { PATH: process.env.PATH, HOME: this.directory.path, ...options.variables },
    });
    this.#child.stdout?.on('data', (data: Buffer) => {
      this.#out += data.toString();
    });
    this.#child.stderr?.on('data', (data: Buffer) => {
      this.#err += data.toString();
    });
    this.ended = once(this.#child, 'close').then(([code, signal]) => (signal ?? code) as number | string);
  }

  /** Starts it and waits until it is ready. @throws with its output, if it ends instead */
  static async start(options: BuiltDaemonOptions): Promise<BuiltDaemon> {
    const daemon = new BuiltDaemon(options);
    try {
      await daemon.ready();
      return daemon;
    } catch (error) {
      await daemon[Symbol.asyncDispose]();
      throw error;
    }
  }

  get dataDir(): string {
    return this.directory.file('data');
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Everything that it has written to stdout so far: the log, one JSON object a line. */
  get out(): string {
    return this.#out;
  }

  get err(): string {
    return this.#err;
  }

  get log(): readonly Record<string, unknown>[] {
    const lines = this.#out.slice(0, this.#out.lastIndexOf('\n') + 1).split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  get url(): string {
    return String(this.log.find(({ msg }) => msg === 'hearthd is running')?.url);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async ready(): Promise<void> {
    const up = eventually(() => this.#out.includes('"hearthd is running"'), 'the daemon to be up').catch((error) => {
      throw new Error(`${error.message}: ${this.#err}${this.#out}`);
    });
    const ended = this.ended.then((how) => {
      throw new Error(`The daemon ended with ${how}: ${this.#err}${this.#out}`);
    });
    await Promise.race([up, ended]);
    // No caller waits for its end any more.
    ended.catch(() => {});
  }

  asSystem(method: string, path: string, body?: unknown): Promise<Answer> {
    return asSystem(join(this.dataDir, 'hearthd.sock'), method, path, body);
  }

  async createToken(body: object = { name: 'test' }): Promise<string> {
    const answer = await this.asSystem('POST', '/rest/tokens', body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    return answer.body.token as string;
  }

  /** One command of the same program, on the same data directory. */
  command(...words: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
    const args = [this.#options.program.path, ...words, '--data-dir', this.dataDir];
    const env = { PATH: process.env.PATH, HOME: this.directory.path };
    return new Promise((resolve) => {
      execFile(process.execPath, args, { env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
    });
  }

  /** The most resident memory that it ever had. Linux only. */
  peakMemoryMib(): number {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1]) / 1024;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** @returns how it ended */
  end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    if (this.isRunning) this.#child.kill(signal);
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
    if (!this.#options.directory) this.directory.remove();
  }
}
