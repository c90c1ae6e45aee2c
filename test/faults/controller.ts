/** A controller under test: it is paired with one device, and shows what it knows of it. */
import type { RawAccessory } from '../support/accessories/raw-accessory.ts';

/** How a write ended, as its caller got to know it. */
export type WriteAnswer = 'done' | 'error' | 'none';

export interface Controller {
  readonly name: string;
  /** Asks for a value of the device's first register. Takes no longer than `WRITE_WITHIN_MS`. */
  write(value: number): Promise<WriteAnswer>;
  /** What it shows of the device's sensor; nothing if it does not answer. */
  shown(): Promise<unknown>;
  stop(): Promise<void>;
}

/** How a controller begins to serve a device that is paired with `CONTROLLER`. */
export type StartController = (device: RawAccessory) => Promise<Controller>;

/** A user has turned away by then. */
export const WRITE_WITHIN_MS = 30_000;
