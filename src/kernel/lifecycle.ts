import { messageOf } from './errors.ts';
import type { Logger } from './logger.ts';

/** Something with a start and a stop. Constructors do nothing; `stop` undoes `start` and may be called twice. */
export interface Startable {
  start(): Promise<void> | void;
  stop(): Promise<void> | void;
}

/** Starts parts in the order given and stops them in reverse, each however the others fare. */
export class Lifecycle {
  readonly #logger: Logger;
  readonly #started: { name: string; part: Startable }[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Starts one part. If it fails, what was started before stays for `stop` to undo. */
  async start(name: string, part: Startable): Promise<void> {
    await part.start();
    this.#started.push({ name, part });
  }

  async stop(): Promise<void> {
    for (const { name, part } of this.#started.splice(0).reverse()) {
      try {
        await part.stop();
      } catch (error) {
        this.#logger.error({ part: name, error: messageOf(error) }, 'A part did not stop cleanly');
      }
    }
  }
}
