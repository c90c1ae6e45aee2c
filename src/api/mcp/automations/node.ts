/**
 * One part of an automation between the tools' format and the record: a trigger, a condition or an action. Kinds are
 * rows of tables in their own files, each for both directions; this file has the common parts.
 */
import { invalid, missing } from '../../../app/automations/parsing/faults.ts';
import { Fields, given } from '../../../app/automations/parsing/fields.ts';
import type { Accessory } from '../../../home/model.ts';
import { withArticle } from '../../../kernel/article.ts';
import { nearest } from '../../../kernel/nearest.ts';
import { readDuration } from './durations.ts';
import type { HomeWords } from './home-words.ts';
import type { SentPositions } from './sent-positions.ts';
import { requireProperty, toParserWords } from './settings.ts';

/** The prefix for the type of a part that the format cannot express. */
export const UNSUPPORTED = '_unsupported';

/** JSON levels of a part: the record's own limit, and room for the blocks around it. */
const MAX_LEVELS = 100;

/** For a part that the format cannot express: enough to identify it, without a page in a model's context. */
const MAX_CHARACTERS = 2_000;

export type WireNode = Readonly<Record<string, unknown>>;

/** What a trigger or a condition reads. */
export interface NodeReading {
  readonly target: WireNode;
  readonly accessory: Accessory;
  readonly characteristicType: string;
}

/** The input of a part, and its position in the record. */
export class Node {
  readonly fields: Fields;
  readonly words: HomeWords;
  readonly #places: SentPositions;
  readonly #record: string;

  /** @param record its position in the record: `triggers[0]` */
  constructor(fields: Fields, record: string, words: HomeWords, places: SentPositions) {
    this.fields = fields;
    this.words = words;
    this.#places = places;
    this.#record = record;
    places.put(record, fields.path);
  }

  /** A field as it was sent, under another name in the record, whose parser checks it. */
  take(record: string, wire: string = record): unknown {
    this.place(record, wire);
    return this.fields.raw(wire);
  }

  /** A value of what is watched. */
  value({ accessory, characteristicType }: NodeReading, record: string, wire: string = record): unknown {
    return toParserWords(accessory, characteristicType, this.take(record, wire));
  }

  place(record: string, wire: string): void {
    this.#places.put(`${this.#record}.${record}`, this.fields.at(wire));
  }

  duration(record: string, wire: string = record): unknown {
    return readDuration(this.fields, wire, `${this.#record}.${record}`, this.#places);
  }

  /** `accessory` or `service_group`. @throws as `HomeWords` · `invalid_value` both */
  target(): { readonly target: WireNode; readonly accessory: Accessory } {
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

  /** The target and the field `characteristic`. @throws as `target` · `characteristic_not_found` */
  watched(): NodeReading {
    const { target, accessory } = this.target();
    this.place('characteristicType', 'characteristic');
    const spelling = this.fields.text('characteristic', 'the name of a property, such as on');
    const characteristicType = requireProperty(accessory, spelling, this.fields.at('characteristic'));
    return { target, accessory, characteristicType };
  }
}

/** The type of a part. @throws `invalid_request` · `invalid_value` naming the existing types */
export function readType<T extends string>(fields: Fields, types: readonly T[], what: string): T {
  const wire = fields.required('type', `the type of the ${what}: ${types.join(', ')}`);
  const type = types.find((one) => one === wire);
  if (type !== undefined) return type;
  const meant = typeof wire === 'string' ? nearest(wire, types) : undefined;
  const advice = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw invalid(fields.at('type'), `unsupported type of ${what}; supported are ${types.join(', ')}.${advice}`);
}

/** For a target of the record: its name, and the accessory that it is now. */
export function presentTarget(
  target: { readonly accessoryId?: string | undefined; readonly serviceGroupId?: string | undefined },
  words: HomeWords,
): { readonly wire: WireNode; readonly accessory: Accessory | undefined } {
  const { accessoryId, serviceGroupId } = target;
  if (serviceGroupId !== undefined) {
    return { wire: { service_group: words.keyOf(serviceGroupId) }, accessory: words.findGroup(serviceGroupId) };
  }
  const id = accessoryId ?? '';
  return { wire: { accessory: words.keyOf(id) }, accessory: words.findAccessory(id) };
}

/** An unsupported part, as the record has it; if it is too long, its id alone, which suffices to keep it. */
export function presentUnsupported(part: object): WireNode {
  const { id, type, ...rest } = part as WireNode;
  const isTooLong = id !== undefined && JSON.stringify(rest).length > MAX_CHARACTERS;
  return given({ id, [UNSUPPORTED]: type, ...(isTooLong ? {} : rest) });
}

/**
 * Checked before any walk: no supported part is nearly this deep, and all walks recurse.
 * @throws `invalid_value`
 */
export function requireShallow(input: unknown, path: string): void {
  let level: readonly unknown[] = [input];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) throw invalid(path, `it is nested more than ${MAX_LEVELS} deep`);
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}

export function toFields(input: unknown, path: string, what: string): Fields {
  if (typeof input === 'object' && input !== null) return new Fields(input, path, what);
  const one = withArticle(what);
  throw input === undefined ? missing(path, one) : invalid(path, `${one} is an object`);
}
