import { messageOf } from './errors.ts';
import type { Logger } from './logger.ts';

/** A component with a start and a stop. Constructors do nothing; `stop` undoes `start` and may be called twice. */
export interface Startable {
  start(): Promise<void> | void;
  stop(): Promise<void> | void;
}

/** Starts components in the given order and stops them in reverse. An error in one stop does not prevent the others. */
export class Lifecycle {
  readonly #logger: Logger;
  readonly #started: { name: string; part: Startable }[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Starts one component. If it fails, the components started before stay running until `stop`. */
  async start(name: string, part: Startable): Promise<void> {
    await part.start();
    this.#started.push({ name, part });
  }

  async stop(): Promise<void> {
    for (const { name, part } of this.#started.splice(0).reverse()) {
      try {
        await part.stop();
      } catch (error) {
        this.#logger.error({ part: name, error: messageOf(error) }, 'A component did not stop cleanly');
      }
    }
  }
}
