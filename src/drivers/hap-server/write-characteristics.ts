/**
 * `PUT /characteristics` (HAP specification §6.7.2): values and subscriptions, one status each. Permissions and
 * prepared writes are checked here; values are the content's.
 */

import type { CharacteristicValue } from '../../home/model.ts';
import type { BridgeContent, BridgeWrite } from '../../home/publication-port.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json, JsonObject } from '../../kernel/json.ts';
import { normalizeValue, parseId } from '../hap/wire/characteristic-values.ts';
import { keyOf, STATUS } from '../hap/wire/characteristics-codec.ts';
import { isObject, JsonError, parseJson } from '../hap/wire/exact-json.ts';
import type { AttributeIndex, PublishedAttribute } from './attribute-index.ts';
import type { ControllerSession } from './controller-session.ts';
import { presentValue } from './present-attributes.ts';
import { failure, type HapResponse, json, NO_CONTENT } from './response.ts';

export interface WriteDestination {
  readonly content: BridgeContent;
  readonly index: AttributeIndex;
  readonly clock: Clock;
}

/** Controllers give up after ten seconds. */
const MAX_WRITE_MS = 9_000;

interface WriteEntry {
  readonly aid: string;
  readonly iid: string;
  readonly object: JsonObject;
  readonly attribute: PublishedAttribute | undefined;
  /** `undefined` until the write is done. */
  status: number | undefined;
  /** Of the write itself. */
  answer?: CharacteristicValue;
}

/** @returns the object of a JSON body; `undefined` if it is none */
export function parseObject(body: Buffer): JsonObject | undefined {
  try {
    const value = parseJson(body.toString());
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

export function writeCharacteristics(
  target: WriteDestination,
  session: ControllerSession,
  body: Buffer,
): HapResponse | Promise<HapResponse> {
  const request = parseObject(body);
  const items = parseItems(request?.characteristics, target.index);
  if (!request || !items) return failure(400, STATUS.invalidValue);
  if (new Set(items.map(keyOf)).size < items.length) return failure(422, STATUS.invalidValue);
  const isTimed = request.pid !== undefined;
  const pid = parseId(request.pid);
  const isPrepared = pid !== undefined && session.takePrepared(pid);
  for (const item of items) {
    item.status = isTimed && !isPrepared ? STATUS.invalidValue : checkItem(item, isPrepared);
    if (item.status === undefined || item.status === STATUS.ok) applySubscription(item, session);
  }
  const writes = items.filter(({ status }) => status === undefined);
  if (writes.length === 0) return answerOf(items, target.content, session);
  return writeValues(target, session, writes).then(() => answerOf(items, target.content, session));
}

function parseItems(json: Json | undefined, index: AttributeIndex): WriteEntry[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const items: WriteEntry[] = [];
  for (const object of json as readonly Json[]) {
    if (!isObject(object)) return undefined;
    const [aid, iid] = [parseId(object.aid), parseId(object.iid)];
    if (aid === undefined || iid === undefined) return undefined;
    items.push({ aid, iid, object, attribute: index.find(aid, iid), status: undefined });
  }
  return items;
}

/** @returns the status of an item that writes no value or may not; `undefined` if its value is to be written */
function checkItem({ object: { value, ev }, attribute }: WriteEntry, isPrepared: boolean): number | undefined {
  const writes = value !== undefined && value !== null;
  const subscribes = ev !== undefined && ev !== null;
  if (!attribute) return STATUS.notFound;
  if (!writes && !subscribes) return STATUS.invalidValue;
  const { permissions } = attribute.characteristic;
  if (subscribes && !permissions.includes('ev')) return STATUS.noEvents;
  if (!writes) return STATUS.ok;
  if (!permissions.includes('pw')) return STATUS.readOnly;
  return permissions.includes('tw') && !isPrepared ? STATUS.invalidValue : undefined;
}

function applySubscription({ object: { ev }, attribute }: WriteEntry, { subscriptions }: ControllerSession): void {
  if (!attribute || ev === undefined || ev === null) return;
  if (ev === true || ev === 1) subscriptions.add(attribute.key);
  else subscriptions.delete(attribute.key);
}

async function writeValues(
  { content, clock }: WriteDestination,
  session: ControllerSession,
  items: readonly WriteEntry[],
): Promise<void> {
  const writes: BridgeWrite[] = items.map(({ aid, iid, object }) => ({ aid, iid, value: object.value }));
  for (const { attribute, object } of items) {
    if (!attribute) continue;
    const { characteristic, key } = attribute;
    session.beginWrite(key, presentValue(characteristic, normalizeValue(characteristic.format, object.value)));
  }
  const results = await atMost(clock, content.write(session.identifier ?? '', writes));
  for (const [at, item] of items.entries()) {
    const result = results ? (results[at] ?? STATUS.unreachable) : STATUS.timedOut;
    item.status = typeof result === 'number' ? result : STATUS.ok;
    if (typeof result !== 'number') item.answer = result.value;
    if (item.status !== STATUS.ok) session.failWrite(keyOf(item));
  }
}

/** @returns `undefined` if it takes too long; the write continues */
async function atMost<T>(clock: Clock, work: Promise<T>): Promise<T | undefined> {
  let cancel = (): void => {};
  const over = new Promise<undefined>((resolve) => {
    cancel = clock.after(MAX_WRITE_MS, () => resolve(undefined));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    cancel();
  }
}

function answerOf(items: readonly WriteEntry[], content: BridgeContent, session: ControllerSession): HapResponse {
  const texts = items.map((item) => {
    return { status: item.status ?? STATUS.ok, value: writeResponse(item, content, session), item };
  });
  if (texts.every(({ status, value }) => status === STATUS.ok && value === undefined)) return NO_CONTENT;
  const elements = texts.map(({ status, value, item: { aid, iid } }) => {
    const members = [`"aid":${aid}`, `"iid":${iid}`, ...(value === undefined ? [] : [`"value":${value}`])];
    return `{${members.join()},"status":${status}}`;
  });
  return json(207, `{"characteristics":[${elements.join()}]}`);
}

/** The value that the controller asked for with `r`, as JSON text. */
function writeResponse(
  { object, attribute, status, answer }: WriteEntry,
  content: BridgeContent,
  { identifier }: ControllerSession,
): string | undefined {
  const asks = object.r === true || object.r === 1;
  if (!asks || status !== STATUS.ok || !attribute?.characteristic.permissions.includes('wr')) return undefined;
  if (answer !== undefined) return presentValue(attribute.characteristic, answer);
  const result = content.read(attribute.aid, attribute.iid, identifier);
  return result.ok ? presentValue(attribute.characteristic, result.value) : undefined;
}
