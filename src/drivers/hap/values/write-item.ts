/** One characteristic of a write, and how often it has been tried. */
import type { WriteOutcome } from '../../../home/accessory-driver.ts';
import type { CharacteristicValue, HapId } from '../../../home/model.ts';
import type { Json } from '../../../kernel/json.ts';
import type { CharacteristicRequests, CharacteristicsAnswer } from '../wire/characteristic-requests.ts';
import { encodeValue, normalizeValue } from '../wire/characteristic-values.ts';
import { STATUS, type WriteElement } from '../wire/characteristics-codec.ts';
import type { CharacteristicIndex, Tracked } from './characteristic-index.ts';
import type { WrittenValue } from './value-sink.ts';

export interface RequestedWrite {
  readonly aid: HapId;
  readonly iid: HapId;
  readonly value: CharacteristicValue;
}

export interface Item extends WriteElement {
  readonly tracked: Tracked;
  readonly value: CharacteristicValue;
  readonly settle: (outcome: WriteOutcome) => void;
}

/** The retries of a batch so far. */
export interface Course {
  readonly busyTries: number;
  /** The batch was sent again after a broken connection, which happens once. */
  readonly repeated: boolean;
  /** The batch was prepared again, which happens once. */
  readonly prepared: boolean;
  /** The batch shares no request with other commands, since such a request failed as a whole. */
  readonly alone: boolean;
}

export const FRESH: Course = { busyTries: 1, repeated: false, prepared: false, alone: false };

/** The connection that a request was sent over. */
export interface Asked extends Live {
  /** The index's sequence number when it was sent. */
  readonly askedAt: number;
}

export function asking(live: Live): Asked {
  const { requests, index } = live;
  return { requests, index, askedAt: index.sequence };
}

export interface Confirmed {
  readonly item: Item;
  /** The write response, if the device sent one. */
  readonly answered?: Json | undefined;
}

export function itemOf(tracked: Tracked, raw: CharacteristicValue, settle: Item['settle']): Item {
  const { format, permissions } = tracked.characteristic;
  const response = permissions.includes('wr') ? ',"r":true' : '';
  const members = `"value":${encodeValue(format, raw)}${response}`;
  return { aid: tracked.aid, iid: tracked.iid, members, tracked, value: raw, settle };
}

export function needsPreparing({ tracked }: Item): boolean {
  return tracked.characteristic.permissions.includes('tw');
}

export function isSame(item: Item, raw: Json | undefined): boolean {
  const { format } = item.tracked.characteristic;
  return raw !== undefined && normalizeValue(format, raw) === normalizeValue(format, item.value);
}

export function isRefusedThroughout(answer: CharacteristicsAnswer): boolean {
  if ('status' in answer) return answer.status === STATUS.invalidValue;
  return answer.every(({ status }) => status === STATUS.invalidValue);
}

/** A verified connection and the device at its other end. */
export interface Live {
  readonly requests: CharacteristicRequests;
  readonly index: CharacteristicIndex;
}

/** The session as the writer uses it. */
export interface WriteSession {
  readonly live: Live | undefined;
  /**
   * Waits for a verified connection, and brings the next attempt forward.
   * @param patient whether to keep waiting after a failed attempt. @returns `undefined` if there is none in time
   */
  awaitLive(waitMs: number, patient: boolean): Promise<Live | undefined>;
  /** Why there is no connection, as a sentence. */
  readonly fault: string;
}

/** Receives the results of writes. */
export interface WriteObserver {
  /** @param askedAt the index's sequence number when they were sent. */
  written(items: readonly WrittenValue[], live: Live, askedAt: number): void;
  /** A write got status −70402. */
  writeFailed(aid: HapId): void;
}
