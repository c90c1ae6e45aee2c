/**
 * States in words, as `hearthd state` shows them and `hearthd set` accepts them: `lock=unlocked` for the API's `locked:
 * false`, and for `lock_target: false`. One table for both directions. A property without a row uses HAP's own words
 * for its numbers, which the relay accepts too.
 */
import { characteristicByName, characteristicName } from '../hap-spec/characteristics.ts';
import { PROPERTIES } from '../home/vocabulary/properties.ts';
import { isProperty } from './api-resources.ts';
import { usageError } from './exit-codes.ts';

type Value = boolean | number | string;
type Words = Readonly<Record<string, Value>>;

interface Row {
  /** The name for users. */
  readonly name: string;
  /** The property to read, and the words for its values. */
  readonly reads?: string;
  readonly words: Words;
  /** The property to write; none for a sensor's measurement. */
  readonly writes?: string;
  /** The words for writing, if they differ from those for reading. */
  readonly written?: Words;
  /** Properties that are omitted if they repeat this one, such as a target that is already reached. */
  readonly repeats?: readonly string[];
}

const ON_OFF: Words = { on: true, off: false };
const LOCKED: Words = { locked: true, unlocked: false };
const DETECTED: Words = { detected: true, clear: false };
const YES_NO: Words = { yes: true, no: false };

const switched = (name: string): Row => ({ name, reads: name, words: ON_OFF, writes: name });
const measured = (name: string, words: Words): Row => ({ name, reads: name, words });

const ROWS: readonly Row[] = [
  switched('on'),
  switched('active'),
  switched('mute'),
  { name: 'lock', reads: 'locked', words: LOCKED, writes: 'lock_target', repeats: ['lock_target'] },
  { name: 'lock_target', reads: 'lock_target', words: LOCKED, writes: 'lock_target' },
  { name: 'alarm', reads: 'alarm_state', words: {}, writes: 'alarm_target', repeats: ['alarm_target'] },
  {
    name: 'door',
    reads: 'current_door_state',
    words: { open: 0, closed: 1, opening: 2, closing: 3, stopped: 4 },
    writes: 'target',
    written: { open: 100, closed: 0 },
    repeats: ['target_door_state', 'position', 'target'],
  },
  { name: 'target', words: {}, writes: 'target', written: { open: 100, closed: 0 } },
  measured('contact', { open: true, closed: false }),
  ...['motion', 'occupancy', 'smoke_detected', 'leak_detected', 'obstruction_detected'].map((name) =>
    measured(name, DETECTED),
  ),
  ...['carbon_monoxide_detected', 'carbon_dioxide_detected'].map((name) => measured(name, DETECTED)),
  measured('low_battery', YES_NO),
  measured('status_active', YES_NO),
  measured('in_use', YES_NO),
  measured('outlet_in_use', YES_NO),
];

const BY_READ = new Map(ROWS.flatMap((row) => (row.reads === undefined ? [] : [[row.reads, row] as const])));
const BY_NAME = new Map(ROWS.map((row) => [row.name, row]));

/** The API has some characteristics twice, by their own name and as a property: users only need the property. */
const PROPERTY_OF = new Map(
  PROPERTIES.filter(({ alsoPlain }) => alsoPlain)
    .map(({ property, type }) => [characteristicName(type), property] as const)
    .filter(([name]) => !ROWS.some(({ reads, repeats }) => reads === name || repeats?.includes(name))),
);

/** `on_2`: the second one of an accessory. */
const NUMBERED = /^(.+?)(_(?:[2-9]|[1-9]\d+))?$/;

function apart(property: string): readonly [base: string, number: string] {
  const [, base = property, number = ''] = NUMBERED.exec(property) ?? [];
  return [base, number];
}

/** The state of an accessory, as `[lock, unlocked]`, in the order of the state tree. @param entry its entry there */
export function stateInWords(entry: object): readonly (readonly [name: string, value: string])[] {
  const properties = new Map<string, unknown>(Object.entries(entry).filter(([key]) => isProperty(key)));
  const repeated = new Set(
    [...properties].flatMap(([property, value]) => {
      const [base, number] = apart(property);
      const row = BY_READ.get(base);
      const state = row && wordOf(row, value);
      return (row?.repeats ?? [])
        .map((other) => `${other}${number}`)
        .filter((other) => {
          if (!properties.has(other)) return false;
          const [otherBase] = apart(other);
          // A door's position repeats its state; a target adds information only while it differs.
          return otherBase === 'position' || otherBase === 'target' || wordFor(other, properties.get(other)) === state;
        });
    }),
  );
  return [...properties]
    .filter(([property]) => !repeated.has(property) && !isTwice(property, properties.keys()))
    .map(([property, value]) => {
      const [base, number] = apart(property);
      return [`${BY_READ.get(base)?.name ?? base}${number}`, wordFor(property, value)] as const;
    });
}

/** A value of a property or a characteristic as a word: `on`, `locked`, `heat`, `21.5`. */
export function wordFor(property: string, value: unknown): string {
  const [base] = apart(property);
  const row = BY_READ.get(base);
  if (row) return wordOf(row, value);
  const spec = typeof value === 'number' ? characteristicByName(base) : undefined;
  const known = Object.entries(spec?.values ?? {}).find(([, number]) => number === value);
  if (known) return known[0];
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value === null ? 'unknown' : String(value);
}

function wordOf({ words }: Row, value: unknown): string {
  const known = Object.entries(words).find(
    ([, one]) => one === value || (typeof one === 'boolean' && Number(one) === value),
  );
  return known?.[0] ?? (value === null ? 'unknown' : String(value));
}

/**
 * Converts a user's setting to the API's form: `lock`, `unlocked` → `lock_target`, `false`.
 * @throws `CliError` the word is not one of the accepted ones
 */
export function toSetting(name: string, value: Value): readonly [property: string, value: Value] {
  const [base, number] = apart(name);
  const row = BY_NAME.get(base);
  if (row?.writes === undefined) return [name, value];
  const words = row.written ?? row.words;
  const property = `${row.writes}${number}`;
  const taken = Object.keys(words);
  if (typeof value !== 'string' || taken.length === 0) return [property, value];
  const wanted = words[value.trim().toLowerCase()];
  if (wanted !== undefined) return [property, wanted];
  throw usageError(`${name} takes ${taken.join(' or ')}, not "${value}".`);
}

/** Converts a user's device reading to the API's form: `lock`, `unlocked` → `locked`, `false`. */
export function toReading(name: string, value: Value): readonly [property: string, value: Value] {
  const [base, number] = apart(name);
  const row = BY_NAME.get(base);
  if (row?.reads === undefined) return [name, value];
  const known = typeof value === 'string' ? row.words[value.trim().toLowerCase()] : undefined;
  return [`${row.reads}${number}`, known ?? value];
}

/**
 * The settable properties of an accessory in words: `lock (locked, unlocked)`. @param entry its entry in the state tree
 */
export function settableInWords(entry: { readonly _settable?: readonly string[] }): readonly string[] {
  const settable = entry._settable ?? [];
  const isDoor = 'current_door_state' in entry;
  return settable
    .filter((property) => !isTwice(property, settable) && !(isDoor && property === 'target_door_state'))
    .map((property) => {
      const [base, number] = apart(property);
      const row = ROWS.find(
        ({ name, writes }) => writes === base && (name === 'door') === (isDoor && base === 'target'),
      );
      const taken = Object.keys(row?.written ?? row?.words ?? {});
      return `${row?.name ?? base}${number}${taken.length > 0 ? ` (${taken.join(', ')})` : ''}`;
    });
}

/** Whether `among` also has the property of this characteristic. */
function isTwice(plain: string, among: Iterable<string>): boolean {
  const [base, number] = apart(plain);
  const property = PROPERTY_OF.get(base);
  return property !== undefined && [...among].includes(`${property}${number}`);
}
