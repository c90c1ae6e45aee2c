/**
 * The bodies and paths of `/characteristics` (HAP specification §6.7) and the devices' responses. Ids are written as
 * raw digits, JSON without spaces (Tado rejects them). Responses vary: one status for all, statuses for some, junk
 * between elements, positive codes, missing ids. The parser returns a result per characteristic if it can.
 */
import { statusOf } from '../../../hap-spec/status-codes.ts';
import type { FailureReason } from '../../../home/accessory-driver.ts';
import type { HapId } from '../../../home/model.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import { parseId } from './characteristic-values.ts';
import { isObject, parseJson } from './exact-json.ts';
import type { Limits } from './limits.ts';

export interface CharacteristicId {
  readonly aid: HapId;
  readonly iid: HapId;
}

/** One element of a response or an event. */
export interface Element extends CharacteristicId {
  /** Absent if the device sent no value. */
  readonly value?: Json;
  /** 0, or negative. */
  readonly status: number;
}

/** The response of a request that failed as a whole: one status for every characteristic. */
export interface WholeStatus {
  readonly status: number;
}

export const STATUS = {
  ok: 0,
  notAuthorized: -70401,
  unreachable: -70402,
  busy: -70403,
  readOnly: -70404,
  writeOnly: -70405,
  noEvents: -70406,
  timedOut: -70408,
  notFound: -70409,
  invalidValue: -70410,
  /** Our own code: the response lacks the characteristic, or the error has no HAP code. */
  unexplained: -1,
} as const;

/** The size of a request without ids and values: method, path, Host with an IPv6 address, type and length. */
const READ_HEAD_BYTES = 110;
export const WRITE_HEAD_BYTES = 190;

/** One map key for both ids. */
export function keyOf({ aid, iid }: CharacteristicId): string {
  return `${aid}.${iid}`;
}

/** `/characteristics?id=1.9,2.10` */
export function readPath(ids: readonly CharacteristicId[]): string {
  return `/characteristics?id=${ids.map(keyOf).join()}`;
}

/** Groups ids so that no request exceeds the limits. A group has at least one id. */
export function batchReads<T extends CharacteristicId>(ids: readonly T[], limits: Limits): readonly T[][] {
  return batch(ids, limits, READ_HEAD_BYTES, (id) => keyOf(id).length + 1);
}

/** One element of a write or subscription: `"value":true`, `"ev":true`. */
export interface WriteElement extends CharacteristicId {
  /** The JSON members besides the ids. */
  readonly members: string;
}

/**
 * Groups elements so that no request exceeds the limits. A group has one accessory only if the device requires that.
 */
export function batchWrites<T extends WriteElement>(elements: readonly T[], limits: Limits): readonly T[][] {
  const single = elements[0];
  if (elements.length === 1 && single) return [[single]];
  const groups = limits.oneAccessory ? groupByAccessory(elements) : [elements];
  return groups.flatMap((group) => batch(group, limits, WRITE_HEAD_BYTES, bytesOf));
}

/** What these add to the size of a request. */
export function writeBytes(elements: readonly WriteElement[]): number {
  return elements.reduce((bytes, element) => bytes + bytesOf(element), 0);
}

function bytesOf(element: WriteElement): number {
  return Buffer.byteLength(presentElement(element)) + 1;
}

/** @param pid the prepared write that this executes, as digits */
export function writeBody(elements: readonly WriteElement[], pid?: string): string {
  const characteristics = elements.map(presentElement).join();
  return pid === undefined
    ? `{"characteristics":[${characteristics}]}`
    : `{"characteristics":[${characteristics}],"pid":${pid}}`;
}

function presentElement({ aid, iid, members }: WriteElement): string {
  return `{"aid":${aid},"iid":${iid},${members}}`;
}

/**
 * @param httpStatus of the response; 2xx unless the whole request failed
 * @param asked the characteristics of the request, to fill in ids that the response lacks
 * @returns the elements, or the one status for all of them
 * @throws JsonError
 */
export function parseAnswer(
  httpStatus: number,
  body: Buffer,
  asked: readonly CharacteristicId[],
): readonly Element[] | WholeStatus {
  const isRefusal = httpStatus >= 300;
  const json = isRefusal ? parseLeniently(body) : body.length === 0 ? null : parseJson(body.toString());
  const list = isObject(json) && Array.isArray(json.characteristics) ? (json.characteristics as readonly Json[]) : [];
  const elements: Element[] = [];
  for (const [index, item] of list.entries()) {
    const fallback = list.length === asked.length ? asked[index] : undefined;
    const element = isObject(item) ? parseElement(item, fallback) : undefined;
    if (element) elements.push(element);
  }
  if (elements.length > 0) return elements;
  const status = isObject(json) ? parseStatus(json.status) : STATUS.ok;
  return { status: status === STATUS.ok && isRefusal ? statusOfHttp(httpStatus) : status };
}

/** The elements of an event, in its own order. @throws JsonError */
export function parseEvent(body: Buffer): readonly Element[] {
  const json = parseJson(body.toString());
  const list = isObject(json) ? json.characteristics : json;
  const elements: Element[] = [];
  if (!Array.isArray(list)) return elements;
  for (const item of list as readonly Json[]) {
    const element = isObject(item) ? parseElement(item, undefined) : undefined;
    if (element) elements.push(element);
  }
  return elements;
}

/** The status of a response to `/prepare`. @throws JsonError */
export function parsePrepared(httpStatus: number, body: Buffer): number {
  const answer = parseAnswer(httpStatus, body, []);
  return 'status' in answer ? answer.status : STATUS.ok;
}

/** The failure reason of a status, for callers. */
export function failureOf(status: number): { reason: FailureReason; detail: string } {
  if (status === STATUS.unexplained) {
    return { reason: 'device_error', detail: 'The accessory refused and gave no reason: try again, or restart it.' };
  }
  return { reason: REASONS.get(status) ?? 'device_error', detail: statusOf(status).sentence };
}

/** Every error of `STATUS_CODES`. A status that HAP does not define is a `device_error` too. */
const REASONS: ReadonlyMap<number, FailureReason> = new Map([
  [STATUS.notAuthorized, 'not_authorized'],
  [STATUS.unreachable, 'unreachable'],
  [STATUS.busy, 'busy'],
  [STATUS.readOnly, 'read_only'],
  [STATUS.writeOnly, 'device_error'],
  [STATUS.noEvents, 'device_error'],
  [-70407, 'device_error'],
  [STATUS.timedOut, 'unreachable'],
  [STATUS.notFound, 'not_found'],
  [STATUS.invalidValue, 'invalid_value'],
  [-70411, 'not_authorized'],
  [-70412, 'device_error'],
]);

/**
 * @param fallback the id to use if the element has none: the one at the same index of a request of the same length
 * @returns `undefined` if it has no id
 */
function parseElement(object: JsonObject, fallback: CharacteristicId | undefined): Element | undefined {
  const aid = parseId(object.aid) ?? fallback?.aid;
  const iid = parseId(object.iid) ?? fallback?.iid;
  if (aid === undefined || iid === undefined) return undefined;
  const status = object.status === undefined ? STATUS.ok : parseStatus(object.status);
  return object.value === undefined ? { aid, iid, status } : { aid, iid, status, value: object.value };
}

/** Some devices send codes without a sign, and some as text. */
function parseStatus(raw: Json | undefined): number {
  const number = Number(raw ?? 0);
  if (!Number.isFinite(number)) return STATUS.unexplained;
  return number === 0 ? STATUS.ok : -Math.abs(number);
}

/** The HAP status for an HTTP error status without a body. */
function statusOfHttp(status: number): number {
  switch (status) {
    case 401:
    case 403:
    case 470:
      return STATUS.notAuthorized;
    case 404:
      return STATUS.notFound;
    case 408:
    case 504:
      return STATUS.timedOut;
    // A well-formed request with a value that the device rejects (HAP specification §6.3.1).
    case 422:
      return STATUS.invalidValue;
    case 429:
    case 503:
      return STATUS.busy;
    default:
      return STATUS.unexplained;
  }
}

/** The body of an error is optional: without it the HTTP status counts. */
function parseLeniently(body: Buffer): Json {
  try {
    return parseJson(body.toString());
  } catch {
    return null;
  }
}

function batch<T>(items: readonly T[], limits: Limits, headBytes: number, bytesOf: (item: T) => number): T[][] {
  const batches: T[][] = [];
  let current: T[] = [];
  let bytes = headBytes;
  for (const item of items) {
    const size = bytesOf(item);
    if (current.length > 0 && (current.length >= limits.maxIds || bytes + size > limits.maxBytes)) {
      batches.push(current);
      current = [];
      bytes = headBytes;
    }
    current.push(item);
    bytes += size;
  }
  if (current.length > 0) batches.push(current);
  return batches;
}

function groupByAccessory<T extends CharacteristicId>(items: readonly T[]): readonly T[][] {
  const groups = new Map<HapId, T[]>();
  for (const item of items) {
    const group = groups.get(item.aid);
    if (group) group.push(item);
    else groups.set(item.aid, [item]);
  }
  return [...groups.values()];
}
