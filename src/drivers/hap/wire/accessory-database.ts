/**
 * Parses the response to `GET /accessories` into the home model's types. Real databases contain null values and
 * formats, empty permissions, values outside their own range, links to missing services, and types in three spellings.
 * The parser keeps everything usable and skips items without an id or a valid type. It throws only if the text is not
 * an accessory database, or is larger than a real device's.
 */
import { FORMATS, PERMISSIONS } from '../../../hap-spec/formats.ts';
import { canonicalType } from '../../../hap-spec/uuid.ts';
import type { Characteristic, CharacteristicFormat, HapId, Permission, Service } from '../../../home/model.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import { normalizeValue, parseId } from './characteristic-values.ts';
import { isObject, parseJson } from './exact-json.ts';

export interface DatabaseAccessory {
  readonly aid: HapId;
  readonly services: readonly Service[];
}

/** All accessories of one accessory server, in its own order. */
export type AttributeDatabase = readonly DatabaseAccessory[];

export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/**
 * A bridge has at most 149 children (HAP specification §2.5.3.2), and some products have more; each has a few services.
 */
const MAX_ACCESSORIES = 1_000;
const MAX_SERVICES = 2_000;
const MAX_CHARACTERISTICS = 20_000;

const KNOWN_PERMISSIONS = Object.keys(PERMISSIONS) as readonly Permission[];

/**
 * @param text the body, `{"accessories":[…]}` or the bare array
 * @throws JsonError, DatabaseError
 */
export function parseAccessories(text: string): AttributeDatabase {
  const json = parseJson(text);
  const list = isObject(json) ? json.accessories : json;
  if (!Array.isArray(list)) throw new DatabaseError('The device’s answer holds no accessories');
  if (list.length > MAX_ACCESSORIES) {
    throw new DatabaseError(`The device describes more than ${MAX_ACCESSORIES} accessories`);
  }
  const budget = { services: MAX_SERVICES, characteristics: MAX_CHARACTERISTICS };
  const database = new Map<HapId, DatabaseAccessory>();
  for (const item of list as readonly Json[]) {
    const aid = isObject(item) ? parseId(item.aid) : undefined;
    if (!isObject(item) || aid === undefined || database.has(aid)) continue;
    database.set(aid, { aid, services: parseServices(item.services, budget) });
  }
  return [...database.values()];
}

/** The remaining allowance, so that a hostile device can't exhaust memory. */
interface Budget {
  services: number;
  characteristics: number;
}

function parseServices(json: Json | undefined, budget: Budget): readonly Service[] {
  const objects = objectsOf(json);
  budget.services -= objects.length;
  if (budget.services < 0) throw new DatabaseError(`The device describes more than ${MAX_SERVICES} services`);
  // Within an accessory, requests address a characteristic by its iid only, so only the first of two equal iids is
  // reachable.
  const seen = new Set<HapId>();
  const services = objects.map((object) => parseService(object, seen, budget));
  const iids = new Set(services.map(({ iid }) => iid));
  // Real devices link to iid 0 and to skipped services; a link without a target is dropped.
  return services.map((service) => ({ ...service, linked: service.linked.filter((iid) => iids.has(iid)) }));
}

function parseService(object: JsonObject, seen: Set<HapId>, budget: Budget): Service {
  const objects = objectsOf(object.characteristics);
  budget.characteristics -= objects.length;
  if (budget.characteristics < 0) {
    throw new DatabaseError(`The device describes more than ${MAX_CHARACTERISTICS} characteristics`);
  }
  const characteristics: Characteristic[] = [];
  for (const item of objects) {
    const iid = parseId(item.iid);
    if (iid === undefined || seen.has(iid)) continue;
    seen.add(iid);
    characteristics.push(parseCharacteristic(iid, item));
  }
  return {
    iid: parseId(object.iid) ?? '0',
    type: parseType(object.type),
    primary: object.primary === true || object.primary === 1,
    hidden: object.hidden === true || object.hidden === 1,
    linked: listOf(object.linked).flatMap((id) => parseId(id) ?? []),
    characteristics,
  };
}

function parseCharacteristic(iid: HapId, object: JsonObject): Characteristic {
  const format = parseFormat(object.format);
  const description = textOf(object.description);
  const unit = textOf(object.unit);
  const maxLength = numberOf(object.maxLen) ?? numberOf(object.maxDataLen);
  const validValues = listOf(object['valid-values']).filter((value) => typeof value === 'number');
  return {
    iid,
    type: parseType(object.type),
    format,
    permissions: parsePermissions(object.perms),
    ...(unit !== undefined && { unit }),
    ...parseRange(object),
    ...(maxLength !== undefined && maxLength > 0 && { maxLength }),
    ...(validValues.length > 0 && { validValues }),
    ...(description !== undefined && { description }),
    value: normalizeValue(format, object.value),
  };
}

/** Ignores a contradictory range or a zero step, which would forbid every value. */
function parseRange(object: JsonObject): Pick<Characteristic, 'minValue' | 'maxValue' | 'minStep'> {
  const [low, high] = listOf(object['valid-values-range']);
  const minValue = numberOf(object.minValue) ?? numberOf(low);
  const maxValue = numberOf(object.maxValue) ?? numberOf(high);
  const minStep = numberOf(object.minStep);
  const isSound = minValue === undefined || maxValue === undefined || minValue <= maxValue;
  return {
    ...(isSound && minValue !== undefined && { minValue }),
    ...(isSound && maxValue !== undefined && { maxValue }),
    ...(minStep !== undefined && minStep > 0 && { minStep }),
  };
}

// A home has thousands of characteristics, but few types and permission sets: equal ones share one object.
const types = new Map<string, string>();
const permissionSets = new Map<string, readonly Permission[]>();
/** Hostile databases can't fill the maps: nothing is added beyond this. */
const MAX_SHARED = 4_096;

function parseType(raw: Json | undefined): string {
  const text = typeof raw === 'string' || typeof raw === 'number' ? String(raw) : '';
  const known = types.get(text);
  if (known !== undefined) return known;
  const type = canonicalType(text);
  if (types.size < MAX_SHARED) types.set(text, type);
  return type;
}

function parsePermissions(raw: Json | undefined): readonly Permission[] {
  const list = listOf(raw);
  const permissions = KNOWN_PERMISSIONS.filter((permission) => list.includes(permission));
  // The key is the parsed list, not the text that was sent: one device must not affect how another one's text is
  // parsed.
  const key = permissions.join();
  const known = permissionSets.get(key);
  if (known) return known;
  permissionSets.set(key, permissions);
  return permissions;
}

function parseFormat(raw: Json | undefined): CharacteristicFormat {
  return typeof raw === 'string' && FORMATS.has(raw) ? (raw as CharacteristicFormat) : 'unknown';
}

function textOf(raw: Json | undefined): string | undefined {
  return typeof raw === 'string' && raw.trim() !== '' ? raw.trim() : undefined;
}

function numberOf(raw: Json | undefined): number | undefined {
  const number = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function listOf(raw: Json | undefined): readonly Json[] {
  return Array.isArray(raw) ? raw : [];
}

function objectsOf(raw: Json | undefined): readonly JsonObject[] {
  return listOf(raw).filter(isObject);
}
