/**
 * The bodies and paths of `/characteristics` (HAP specification §6.7) and what devices answer to them. Ids are written as raw
 * digits, JSON without spaces (Tado refuses them). Answers come in every shape there is: a status for all, statuses for some, junk
 * between elements, positive codes, ids left out; what can be told is told per characteristic.
 */
import { statusOf } from '../../hap-spec/status-codes.ts';
import type { FailureReason } from '../../home/accessory-driver.ts';
import type { HapId } from '../../home/model.ts';
import { parseId } from './characteristic-values.ts';
import { isObject, type Json, type JsonObject, parseJson } from './exact-json.ts';
import type { Limits } from './limits.ts';

export interface CharacteristicId {
  readonly aid: HapId;
  readonly iid: HapId;
}

/** One element of an answer or a notification. */
export interface Element extends CharacteristicId {
  /** Absent: none was sent. */
  readonly value?: Json;
  /** 0, or negative. */
  readonly status: number;
}

/** An answer that fails as a whole, with this status for everything asked. */
export interface WholeStatus {
  readonly status: number;
}

export const STATUS = {
  ok: 0,
  unreachable: -70402,
  busy: -70403,
  notFound: -70409,
  invalidValue: -70410,
  /** Ours: a device left the characteristic out of its answer, or failed in a way HAP has no code for. */
  unexplained: -1,
} as const;

/** What a request is besides ids and values: method, path, Host with an IPv6 address, type and length. */
const READ_HEAD_BYTES = 110;
const WRITE_HEAD_BYTES = 190;

/** The one key that both ids make, for maps. */
export function keyOf({ aid, iid }: CharacteristicId): string {
  return `${aid}.${iid}`;
}

/** `/characteristics?id=1.9,2.10` */
export function readPath(ids: readonly CharacteristicId[]): string {
  return `/characteristics?id=${ids.map(keyOf).join()}`;
}

/** Groups ids so that no request exceeds the limits. A group has at least one. */
export function batchReads<T extends CharacteristicId>(ids: readonly T[], limits: Limits): readonly T[][] {
  return batch(ids, limits, READ_HEAD_BYTES, (id) => keyOf(id).length + 1);
}

/** One element of a write or subscription: `"value":true`, `"ev":true`. */
export interface WriteElement extends CharacteristicId {
  /** The members besides the ids, as JSON text. */
  readonly members: string;
}

/** Groups elements so that no request exceeds the limits, and holds one accessory only where the device wants that. */
export function batchWrites<T extends WriteElement>(elements: readonly T[], limits: Limits): readonly T[][] {
  const single = elements[0];
  if (elements.length === 1 && single) return [[single]];
  const groups = limits.oneAccessory ? groupByAccessory(elements) : [elements];
  return groups.flatMap((group) =>
    batch(group, limits, WRITE_HEAD_BYTES, (element) => Buffer.byteLength(presentElement(element)) + 1),
  );
}

/** @param pid the prepared write that this one carries out, as digits. */
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
 * @param httpStatus of the answer; 2xx unless the whole request failed.
 * @param asked what the request was about, to fill in ids that the answer leaves out.
 * @returns the elements, or the one status that stands for all of them.
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
  const elements = list.flatMap((item, index) =>
    isObject(item) ? parseElement(item, list.length === asked.length ? asked[index] : undefined) : [],
  );
  if (elements.length > 0) return elements;
  const status = isObject(json) ? parseStatus(json.status) : STATUS.ok;
  return { status: status === STATUS.ok && isRefusal ? statusOfHttp(httpStatus) : status };
}

/** The elements of a notification, in its own order. @throws JsonError */
export function parseEvent(body: Buffer): readonly Element[] {
  const json = parseJson(body.toString());
  const list = isObject(json) ? json.characteristics : json;
  return Array.isArray(list) ? list.filter(isObject).flatMap((object) => parseElement(object, undefined)) : [];
}

/** The status of an answer to `/prepare`. @throws JsonError */
export function parsePrepared(httpStatus: number, body: Buffer): number {
  const answer = parseAnswer(httpStatus, body, []);
  return 'status' in answer ? answer.status : STATUS.ok;
}

/** What a failed status means to whoever asked. */
export function failureOf(status: number): { reason: FailureReason; detail: string } {
  if (status === STATUS.unexplained) {
    return { reason: 'device_error', detail: 'The accessory refused without saying why: try again, or restart it.' };
  }
  return { reason: REASONS.get(status) ?? 'device_error', detail: statusOf(status).sentence };
}

const REASONS: ReadonlyMap<number, FailureReason> = new Map([
  [-70401, 'not_authorized'],
  [STATUS.unreachable, 'unreachable'],
  [STATUS.busy, 'busy'],
  [-70404, 'read_only'],
  [-70408, 'unreachable'],
  [STATUS.notFound, 'not_found'],
  [STATUS.invalidValue, 'invalid_value'],
  [-70411, 'not_authorized'],
]);

/** @param fallback which one is meant where the device leaves ids out: the one at the same place of as long a list. */
function parseElement(object: JsonObject, fallback: CharacteristicId | undefined): readonly Element[] {
  const aid = parseId(object.aid) ?? fallback?.aid;
  const iid = parseId(object.iid) ?? fallback?.iid;
  if (aid === undefined || iid === undefined) return [];
  const status = parseStatus(object.status);
  return [object.value === undefined ? { aid, iid, status } : { aid, iid, status, value: object.value }];
}

/** Some devices send codes without their sign, and some as text. */
function parseStatus(raw: Json | undefined): number {
  const number = Number(raw ?? 0);
  if (!Number.isFinite(number)) return STATUS.unexplained;
  return number === 0 ? STATUS.ok : -Math.abs(number);
}

function statusOfHttp(status: number): number {
  switch (status) {
    case 404:
      return STATUS.notFound;
    case 422:
    case 429:
    case 503:
      return STATUS.busy;
    default:
      return STATUS.unexplained;
  }
}

/** The body of a refusal is a courtesy: without it the HTTP status speaks. */
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
