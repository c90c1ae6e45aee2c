/**
 * One part of an automation on its way between what tools say and the record: a trigger, a condition or an action. Kinds are rows of
 * tables in files of their own, each read both ways; what all kinds have is here.
 */
import { invalid, missing } from '../../../app/automations/flows/faults.ts';
import { Fields, given } from '../../../app/automations/flows/fields.ts';
import type { Accessory } from '../../../home/model.ts';
import { nearest } from '../../../kernel/nearest.ts';
import { readDuration } from './durations.ts';
import type { HouseWords } from './house-words.ts';
import type { Places } from './places.ts';
import { requireProperty, toParserWords } from './settings.ts';

/** In front of the type of what has no words here. */
export const UNSUPPORTED = '_unsupported';

/** Of JSON in a part: the record's own bound, and room for the blocks around it. */
const MOST_LEVELS = 100;

/** Of a part that has no words here: enough to see what it is, and no page of it in a model's memory. */
const MOST_CHARACTERS = 2_000;

export type Said = Readonly<Record<string, unknown>>;

/** What is read, and where it goes. */
export class Node {
  readonly fields: Fields;
  readonly words: HouseWords;
  readonly #places: Places;
  readonly #record: string;

  /** @param record its place in the record: `triggers[0]` */
  constructor(fields: Fields, record: string, words: HouseWords, places: Places) {
    this.fields = fields;
    this.words = words;
    this.#places = places;
    this.#record = record;
    places.put(record, fields.path);
  }

  /** A field as it was sent, under another name in the record, whose parser checks it. */
  take(record: string, said: string = record): unknown {
    this.place(record, said);
    return this.fields.raw(said);
  }

  /** A value of a property that an accessory has. */
  value(accessory: Accessory, property: string, record: string, said: string = record): unknown {
    return toParserWords(accessory, property, this.take(record, said));
  }

  place(record: string, said: string): void {
    this.#places.put(`${this.#record}.${record}`, this.fields.at(said));
  }

  duration(record: string, said: string = record): unknown {
    return readDuration(this.fields, said, `${this.#record}.${record}`, this.#places);
  }

  /** `accessory` or `service_group`. @throws as `HouseWords` · `invalid_value` both */
  target(): { readonly target: Said; readonly accessory: Accessory } {
    const { fields, words } = this;
    this.place('accessoryId', 'accessory');
    this.place('serviceGroupId', 'service_group');
    if (!fields.has('service_group')) {
      const accessory = words.accessory(fields);
      return { target: { accessoryId: accessory.id }, accessory };
    }
    if (fields.has('accessory')) throw invalid(fields.at('service_group'), 'give it or accessory, not both');
    const accessory = words.group(fields);
    return { target: { serviceGroupId: accessory.id }, accessory };
  }

  /** The field `characteristic`. @throws `characteristic_not_found` */
  property(accessory: Accessory): string {
    this.place('characteristicType', 'characteristic');
    const spelling = this.fields.text('characteristic', 'the name of a property, such as on');
    return requireProperty(accessory, spelling, this.fields.at('characteristic'));
  }
}

/** The type of a part. @throws `invalid_request` · `invalid_value` naming those that there are */
export function readType<T extends string>(fields: Fields, types: readonly T[], what: string): T {
  const said = fields.required('type', `the type of the ${what}: ${types.join(', ')}`);
  const type = types.find((one) => one === said);
  if (type !== undefined) return type;
  const meant = typeof said === 'string' ? nearest(said, types) : undefined;
  const advice = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw invalid(fields.at('type'), `unsupported type of ${what}; supported are ${types.join(', ')}.${advice}`);
}

/** Where the record has a target: what it is called, and the accessory that it is now. */
export function sayTarget(
  target: { readonly accessoryId?: string | undefined; readonly serviceGroupId?: string | undefined },
  words: HouseWords,
): { readonly said: Said; readonly accessory: Accessory | undefined } {
  const { accessoryId, serviceGroupId } = target;
  if (serviceGroupId !== undefined) {
    return { said: { service_group: words.keyOf(serviceGroupId) }, accessory: words.findGroup(serviceGroupId) };
  }
  const id = accessoryId ?? '';
  return { said: { accessory: words.keyOf(id) }, accessory: words.findAccessory(id) };
}

/** What has no words here, as the record has it; of what is too long its id alone, by which it can be kept too. */
export function sayUnsupported(part: object): Said {
  const { id, type, ...rest } = part as Said;
  const isTooLong = id !== undefined && JSON.stringify(rest).length > MOST_CHARACTERS;
  return given({ id, [UNSUPPORTED]: type, ...(isTooLong ? {} : rest) });
}

/**
 * Before anything walks through it: nothing that is said here comes near this depth, and everything that walks does so by recursion.
 * @throws `invalid_value`
 */
export function requireShallow(input: unknown, path: string): void {
  let level: readonly unknown[] = [input];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) throw invalid(path, `it is nested more than ${MOST_LEVELS} deep`);
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}

export function toFields(input: unknown, path: string, what: string): Fields {
  if (typeof input === 'object' && input !== null) return new Fields(input, path, what);
  throw input === undefined ? missing(path, `a ${what}`) : invalid(path, `a ${what} is an object`);
}
