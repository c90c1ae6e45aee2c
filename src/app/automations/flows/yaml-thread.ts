/**
 * Reads and writes YAML in a worker thread (`yaml-worker.js`): one text at a time, in bounded time and memory. The
 * event loop runs meanwhile.
 */
import { Worker } from 'node:worker_threads';
import { shorten } from '../../../home/vocabulary/values.ts';

/** The task of the worker thread: a text to parse, or a value, as JSON, to write as YAML. */
export type YamlTask = { readonly text: string } | { readonly json: string };

/** The message of the worker thread. */
export type YamlAnswer = { readonly value: unknown } | { readonly fault: string } | { readonly repeated: string };

/** The largest text takes about a second on a Raspberry Pi. */
const DEADLINE_MS = 20_000;
/** At most a quarter of the memory of a 1 GB computer, and several times what the largest text takes. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };

/** Queued texts, besides the active one, when another is to be read. Each may have half a megabyte. */
const MAX_WAITING = 16;

export class YamlThread {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #worker: Worker | undefined;
  #stopped = false;

  /** @throws `SyntaxError` · `RangeError`: the message completes `The document can't be read:` */
  async read(text: string): Promise<unknown> {
    if (this.#waiting > MAX_WAITING) throw new RangeError('too many documents are waiting; try again in a minute');
    return this.#inTurn({ text });
  }

  /** @param json the value to write. @throws `RangeError`: the message completes `The document can't be written:` */
  async write(json: string): Promise<string> {
    return String(await this.#inTurn({ json }));
  }

  start(): void {
    this.#stopped = false;
  }

  /** Cancels the active task; all waiting callers get an error. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#worker?.terminate();
    await this.#last;
  }

  async #inTurn(task: YamlTask): Promise<unknown> {
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#run(task));
    this.#last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #run(task: YamlTask): Promise<unknown> {
    if (this.#stopped) throw new RangeError('the relay is stopping');
    const worker = new Worker(new URL('./yaml-worker.js', import.meta.url), {
      workerData: task,
      resourceLimits: MEMORY,
      // Inherits none of the process's options: a TypeScript loader, a debugger.
      execArgv: [],
      env: {},
    });
    this.#worker = worker;
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      void worker.terminate();
    }, DEADLINE_MS);
    try {
      const answer = await new Promise<YamlAnswer>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.once('exit', () => reject(new RangeError(isLate ? 'it takes too long' : 'the relay is stopping')));
      });
      if ('repeated' in answer) {
        throw new SyntaxError(`Names must be unique: "${shorten(answer.repeated)}" is there twice`);
      }
      if ('fault' in answer) throw new SyntaxError(answer.fault);
      return answer.value;
    } catch (error) {
      if (isOutOfMemory(error)) throw new RangeError('it takes too much memory');
      throw error;
    } finally {
      clearTimeout(deadline);
      this.#worker = undefined;
      await worker.terminate();
    }
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
