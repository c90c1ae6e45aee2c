/**
 * Writes of values: shown at once, sent in order, one request at a time for each characteristic. During a drag, a
 * slider sends its current value once the device has accepted the previous one; intermediate values are not queued. A
 * write to a service group goes to its members.
 */
import { ApiError } from '../api/api-error.ts';
import { memberCharacteristic } from './group-values.ts';
import type { HomeCharacteristic, Value } from './home-document.ts';
import type { HomeStore } from './home-store.ts';

/** One value for one characteristic. */
export interface Write {
  readonly accessoryId: string;
  readonly serviceId: string;
  /** `<accessory id>.<iid>`. */
  readonly characteristicId: string;
  /** In snake_case. */
  readonly characteristicType: string;
  readonly value: Value;
}

/** The result of one write. */
export interface WriterResult {
  readonly success: boolean;
  readonly value?: Value;
  readonly error?: ApiError;
}

/** A write with the store's number for it. */
interface Numbered {
  readonly write: Write;
  readonly number: number;
}

export type Send = (writes: readonly Write[]) => Promise<readonly WriterResult[]>;

/** Receives failed writes, to show them. */
export type OnRefusal = (write: Write, error: ApiError) => void;

export class Writer {
  readonly #store: HomeStore;
  readonly #send: Send;
  readonly #onRefusal: OnRefusal;
  /** By characteristic: the next write, sent when the running request is answered. */
  readonly #next = new Map<string, Numbered>();
  readonly #busy = new Set<string>();

  constructor(store: HomeStore, send: Send, onRefusal: OnRefusal) {
    this.#store = store;
    this.#send = send;
    this.#onRefusal = onRefusal;
  }

  /** Sends several writes in one request. */
  set(...writes: readonly Write[]): void {
    const now: Numbered[] = [];
    for (const write of writes.flatMap((each) => this.#single(each))) {
      const { accessoryId, characteristicId, value } = write;
      const numbered = { write, number: this.#store.expect(accessoryId, characteristicId, value) };
      if (this.#busy.has(characteristicId)) this.#next.set(characteristicId, numbered);
      else now.push(numbered);
    }
    if (now.length > 0) void this.#sendNow(now);
  }

  /**
   * A write to a group becomes writes to its reachable members that have the characteristic, each within its range. Any
   * other write stays as it is.
   */
  #single(write: Write): readonly Write[] {
    if (!this.#store.isGroup(write.accessoryId)) return [write];
    return this.#store.membersOf(write.accessoryId).flatMap(({ accessory, service }) => {
      const characteristic = memberCharacteristic(service, write.characteristicType);
      if (!characteristic?.canWrite || !accessory.isReachable) return [];
      return {
        accessoryId: accessory.id,
        serviceId: service.id,
        characteristicId: characteristic.id,
        characteristicType: characteristic.type,
        value: fitting(write.value, characteristic),
      };
    });
  }

  async #sendNow(batch: readonly Numbered[]): Promise<void> {
    for (const { write } of batch) this.#busy.add(write.characteristicId);
    const outcomes = await this.#attempt(batch.map(({ write }) => write));
    const next: Numbered[] = [];
    for (const [index, { write, number }] of batch.entries()) {
      const { accessoryId, characteristicId } = write;
      const outcome = outcomes[index];
      this.#busy.delete(characteristicId);
      const confirmed = outcome?.success ? { value: outcome.value } : undefined;
      this.#store.settle(accessoryId, characteristicId, number, confirmed);
      if (outcome?.error) this.#onRefusal(write, outcome.error);
      const waiting = this.#next.get(characteristicId);
      if (waiting) next.push(waiting);
      this.#next.delete(characteristicId);
    }
    if (next.length > 0) void this.#sendNow(next);
  }

  async #attempt(writes: readonly Write[]): Promise<readonly WriterResult[]> {
    try {
      return await this.#send(writes);
    } catch (error) {
      const refusal = error instanceof ApiError ? error : new ApiError('failed', String(error), { cause: error });
      return writes.map(() => ({ success: false, error: refusal }));
    }
  }
}

/** Fans of both generations share one switch: `true` for one is 1 for the other. */
function fitting(value: Value, { format, minValue, maxValue }: HomeCharacteristic): Value {
  if (typeof value === 'boolean') return format === 'bool' ? value : Number(value);
  if (typeof value !== 'number') return value;
  if (format === 'bool') return value !== 0;
  return Math.min(Math.max(value, minValue ?? -Infinity), maxValue ?? Infinity);
}
