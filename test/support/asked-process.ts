/** A child of a test with a channel to it: it is sent `{ id, request }`, and answers `{ id, value }` or an error. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { TYPESCRIPT } from './typescript-process.ts';

export interface Asked<T> {
  readonly id: number;
  readonly request: T;
}

export class AskedProcess<T> {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #nextId = 1;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', ({ id, value, error }: { id: number; value?: unknown; error?: string }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Error(error));
    });
  }

  ask(request: T): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, request });
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}

/** Runs a TypeScript file behind a command such as `ip netns exec …`. @returns it when it has sent its first message */
export async function startAsked(
  [command = '', ...words]: readonly string[],
  file: string,
  ...args: readonly string[]
): Promise<ChildProcess> {
  const child = spawn(command, [...words, process.execPath, ...TYPESCRIPT, file, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

/** The other end: answers each request of the parent, and ends with it. */
export function answerParent<T>(answer: (request: T) => Promise<unknown>): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', ({ id, request }: Asked<T>) => {
    void answer(request).then(
      (value) => process.send?.({ id, value: plain(value) }),
      (error: unknown) => process.send?.({ id, error: describe(error) }),
    );
  });
  process.send?.({ ready: true });
}

function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString(16) : one));
  return text === undefined ? null : JSON.parse(text);
}

function describe(error: unknown): string {
  const { message, code } = error as { message: string; code?: number };
  return code === undefined ? message : `${message} (status ${code})`;
}
