/**
 * Commands that wait for the same connection leave as one request: a device takes as long for ten lamps as for one. A
 * request never has two values of one characteristic, and never exceeds the device's limits. Each command keeps its own
 * deadline and outcome.
 */
import type { HapId } from '../../../home/model.ts';
import {
  type Element,
  keyOf,
  type WholeStatus,
  WRITE_HEAD_BYTES,
  type WriteElement,
  writeBody,
  writeBytes,
} from './characteristics-codec.ts';
import { ConnectionError, type HapRequest } from './connection.ts';
import type { Limits } from './limits.ts';

/** The answer to one command of a request. */
export type CommandAnswer = readonly Element[] | SharedStatus;

interface SharedStatus extends WholeStatus {
  /** The request failed as a whole and carried other commands too: the status may be due to one of them. */
  readonly isShared?: boolean;
}

interface Command {
  readonly elements: readonly WriteElement[];
  readonly sendBy: number;
  readonly resolve: (answer: CommandAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** What decides whether another command fits in. */
interface Measured {
  readonly keys: Set<string>;
  readonly aids: Set<HapId>;
  readonly bytes: number;
}

/** The request of these commands, completed when its turn comes. */
export class SharedWrite implements HapRequest {
  readonly method = 'PUT';
  readonly path = '/characteristics';
  readonly urgent = true;
  #commands: Command[] = [];
  #isSent = false;
  #sendBy = Number.NEGATIVE_INFINITY;
  /** Measured once a second command comes. */
  #waiting: Measured | undefined;

  /** What the request asks of the device. */
  get elements(): readonly WriteElement[] {
    const [first] = this.#commands;
    return first && this.#commands.length === 1 ? first.elements : this.#commands.flatMap(({ elements }) => elements);
  }

  /** Until the last of them is too late. */
  get sendBy(): number {
    return this.#sendBy;
  }

  /** Whether these can leave with others that wait. */
  accepts(elements: readonly WriteElement[], limits: Limits): boolean {
    if (this.#isSent || this.#commands.length === 0) return false;
    this.#waiting ??= measure(this.elements);
    const { keys, aids, bytes } = this.#waiting;
    if (elements.some((element) => keys.has(keyOf(element)))) return false;
    if (limits.oneAccessory && elements.some(({ aid }) => aids.size > 1 || !aids.has(aid))) return false;
    if (keys.size + elements.length > limits.maxIds) return false;
    return bytes + writeBytes(elements) <= limits.maxBytes;
  }

  /** @returns the answer to this command @throws ConnectionError */
  add(elements: readonly WriteElement[], sendBy = Number.POSITIVE_INFINITY): Promise<CommandAnswer> {
    this.#sendBy = Math.max(this.#sendBy, sendBy);
    if (this.#waiting) this.#waiting = measure(elements, this.#waiting);
    return new Promise((resolve, reject) => this.#commands.push({ elements, sendBy, resolve, reject }));
  }

  readonly body = (now: number): string => {
    this.#isSent = true;
    if (this.#commands.some(({ sendBy }) => sendBy < now)) {
      const late = this.#commands.filter(({ sendBy }) => sendBy < now);
      this.#commands = this.#commands.filter((command) => !late.includes(command));
      for (const { reject } of late)
        reject(new ConnectionError('expired', 'The device was too busy to be asked in time'));
    }
    return writeBody(this.elements);
  };

  answered(answer: readonly Element[] | WholeStatus): void {
    const isShared = this.#commands.length > 1;
    const own = 'status' in answer && isShared ? { ...answer, isShared } : answer;
    for (const { resolve } of this.#commands) resolve(own);
  }

  failed(error: unknown): void {
    for (const { reject } of this.#commands) reject(error);
  }
}

/** @param before whose sets are continued */
function measure(
  elements: readonly WriteElement[],
  before: Measured = { keys: new Set(), aids: new Set(), bytes: WRITE_HEAD_BYTES },
): Measured {
  for (const element of elements) {
    before.keys.add(keyOf(element));
    before.aids.add(element.aid);
  }
  return { ...before, bytes: before.bytes + writeBytes(elements) };
}
