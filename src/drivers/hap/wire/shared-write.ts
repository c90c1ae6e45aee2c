/**
 * Commands that wait for the same connection leave as one request: a device takes as long for ten lamps as for one. A
 * request never has two values of one characteristic, and never exceeds the device's limits. Each command keeps its own
 * deadline and outcome.
 */
import {
  batchWrites,
  type Element,
  keyOf,
  type WholeStatus,
  type WriteElement,
  writeBody,
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

/** The request of these commands, completed when its turn comes. */
export class SharedWrite implements HapRequest {
  readonly method = 'PUT';
  readonly path = '/characteristics';
  readonly urgent = true;
  #commands: Command[] = [];
  #isSent = false;
  #sendBy = Number.NEGATIVE_INFINITY;

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
    const waiting = this.elements;
    const taken = new Set(waiting.map(keyOf));
    if (elements.some((element) => taken.has(keyOf(element)))) return false;
    return batchWrites([...waiting, ...elements], limits).length === 1;
  }

  /** @returns the answer to this command @throws ConnectionError */
  add(elements: readonly WriteElement[], sendBy = Number.POSITIVE_INFINITY): Promise<CommandAnswer> {
    this.#sendBy = Math.max(this.#sendBy, sendBy);
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
