/** `GET /characteristics` (HAP specification §6.7.4): values from the content, at once. */
import type { BridgeContent } from '../../home/publication-port.ts';
import { parseId } from '../hap/wire/characteristic-values.ts';
import { type CharacteristicId, keyOf, STATUS } from '../hap/wire/characteristics-codec.ts';
import type { AttributeIndex } from './attribute-index.ts';
import type { ControllerSession } from './controller-session.ts';
import { metaMembers, presentValue } from './present-attributes.ts';
import { failure, type HapResponse, json } from './response.ts';

export interface ReadSource {
  readonly content: BridgeContent;
  readonly index: AttributeIndex;
}

/** What a read adds to each value. */
interface Extras {
  readonly meta: boolean;
  readonly perms: boolean;
  readonly type: boolean;
  readonly ev: boolean;
}

export function readCharacteristics(
  source: ReadSource,
  query: URLSearchParams,
  session: ControllerSession,
): HapResponse {
  const ids = parseIds(query.get('id') ?? '');
  if (!ids) return failure(400, STATUS.invalidValue);
  if (new Set(ids.map(keyOf)).size < ids.length) return failure(422, STATUS.invalidValue);
  const extras = {
    meta: asks(query, 'meta'),
    perms: asks(query, 'perms'),
    type: asks(query, 'type'),
    ev: asks(query, 'ev'),
  };
  const elements = ids.map((id) => readOne(source, id, extras, session));
  const isPartial = elements.some(({ status }) => status !== STATUS.ok);
  // In a multi-status answer every element has its status.
  const texts = elements.map(({ status, members }) => {
    const all = isPartial ? [...members, `"status":${status}`] : members;
    return `{${all.join()}}`;
  });
  return json(isPartial ? 207 : 200, `{"characteristics":[${texts.join()}]}`);
}

function readOne(
  { content, index }: ReadSource,
  { aid, iid }: CharacteristicId,
  extras: Extras,
  { subscriptions, identifier }: ControllerSession,
): { readonly status: number; readonly members: readonly string[] } {
  const ids = [`"aid":${aid}`, `"iid":${iid}`];
  const attribute = index.find(aid, iid);
  if (!attribute) return { status: STATUS.notFound, members: ids };
  const { characteristic, key } = attribute;
  const { permissions, type } = characteristic;
  if (!permissions.includes('pr')) return { status: STATUS.writeOnly, members: ids };
  const result = content.read(aid, iid, identifier);
  if (!result.ok) return { status: result.status, members: ids };
  const members = [...ids, `"value":${presentValue(characteristic, result.value)}`];
  if (extras.meta) members.push(...metaMembers(characteristic));
  if (extras.perms) members.push(`"perms":${JSON.stringify(permissions)}`);
  if (extras.type) members.push(`"type":${JSON.stringify(type)}`);
  if (extras.ev) members.push(`"ev":${subscriptions.has(key)}`);
  return { status: STATUS.ok, members };
}

/** `1.9,2.14`. @returns `undefined` if it is malformed */
function parseIds(text: string): readonly CharacteristicId[] | undefined {
  const ids: CharacteristicId[] = [];
  for (const item of text.split(',')) {
    const [aid, iid, ...more] = item.split('.').map(parseId);
    if (aid === undefined || iid === undefined || more.length > 0) return undefined;
    ids.push({ aid, iid });
  }
  return ids;
}

function asks(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value === '1' || value === 'true';
}
