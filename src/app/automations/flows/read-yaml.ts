/** Reads YAML input in a worker thread (`yaml-worker.js`): one text at a time, in bounded time and memory. */
import { Worker } from 'node:worker_threads';
import { shorten } from '../../../home/vocabulary/values.ts';

/** The message of the worker thread. */
export type YamlAnswer = { readonly value: unknown } | { readonly fault: string } | { readonly repeated: string };

/** The largest text takes about a second on a Raspberry Pi. */
const DEADLINE_MS = 20_000;
/** At most a quarter of the memory of a 1 GB computer, and several times what the largest text takes. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };

/** Queued texts, besides the active one. Each may have half a megabyte. */
const MAX_WAITING = 16;

export class YamlReader {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #worker: Worker | undefined;
  #stopped = false;

  /** @throws `SyntaxError` · `RangeError`: the message completes `The document can't be read:` */
  async read(text: string): Promise<unknown> {
    if (this.#waiting > MAX_WAITING) throw new RangeError('too many documents are waiting; try again in a minute');
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#readNow(text));
    this.#last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  start(): void {
    this.#stopped = false;
  }

  /** Cancels the active read; all waiting callers get an error. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#worker?.terminate();
    await this.#last;
  }

  async #readNow(text: string): Promise<unknown> {
    if (this.#stopped) throw new RangeError('the relay is stopping');
    const worker = new Worker(new URL('./yaml-worker.js', import.meta.url), {
      workerData: text,
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
        worker.once('exit', () =>
          reject(new RangeError(isLate ? 'it takes too long to read' : 'the relay is stopping')),
        );
      });
      if ('repeated' in answer) {
        throw new SyntaxError(`Names must be unique: "${shorten(answer.repeated)}" is there twice`);
      }
      if ('fault' in answer) throw new SyntaxError(answer.fault);
      return answer.value;
    } catch (error) {
      if (isOutOfMemory(error)) throw new RangeError('it takes too much memory to read');
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
