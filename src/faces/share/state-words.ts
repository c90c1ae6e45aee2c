/**
 * What an accessory does, in a few words: `On · 40 %`, `Locked`, `21.5 °C · Heating`. One row a property, in the order in which they
 * are said; what has no row is not said. Written for whoever was given a link, not for whoever set the house up.
 */
import type { Accessory } from '../../home/model.ts';
import { bindingsOf } from '../../home/vocabulary/bindings.ts';
import { simplify } from '../../home/vocabulary/simplify.ts';
import { presentValue } from '../../home/vocabulary/values.ts';

type Value = boolean | number | string;

type Values = Readonly<Record<string, Value>>;

interface WordsRow {
  readonly property: string;
  /** @returns `undefined` where there is nothing to say. */
  words(value: Value, all: Values): string | undefined;
  /** Whether it says that something runs, is open or wants to be looked at. */
  isActive?(value: Value): boolean;
}

export interface StateInWords {
  /** Empty for what says nothing of itself. */
  readonly words: string;
  readonly isActive: boolean;
}

/** HAP 1D, which knows more than the property `locked`: a lock that is jammed is neither. */
const LOCK_CURRENT_STATE = '1D';
const LOCK_STATE = 'lock_current_state';

const LOCK_WORDS = ['Unlocked', 'Locked', 'Jammed', 'State unknown'];

const DOOR_STATE = 'current_door_state';
const DOOR_WORDS = ['Open', 'Closed', 'Opening', 'Closing', 'Stopped'];
const ALARM_WORDS: Readonly<Record<string, string>> = {
  home: 'Armed, at home',
  away: 'Armed, away',
  night: 'Armed, night',
  off: 'Off',
  triggered: 'Alarm!',
};
const HVAC_WORDS: Readonly<Record<string, string>> = {
  inactive: 'Off',
  idle: 'Resting',
  heating: 'Heating',
  cooling: 'Cooling',
};
/** HAP 95. */
const AIR_WORDS = ['', 'Excellent air', 'Good air', 'Fair air', 'Poor air', 'Bad air'];

const TIMER_WORDS: Readonly<Record<string, string>> = { idle: 'Not running', active: 'Running', paused: 'Paused' };

const ROWS: readonly WordsRow[] = [
  either('on', 'On', 'Off'),
  { property: 'active', words: sayActive, isActive: isTrue },
  { property: LOCK_STATE, words: (value) => indexed(LOCK_WORDS, value), isActive: (value) => value !== 1 },
  { property: 'alarm_state', words: (value) => ALARM_WORDS[String(value)], isActive: (value) => value === 'triggered' },
  { property: DOOR_STATE, words: (value) => indexed(DOOR_WORDS, value), isActive: (value) => value !== 1 },
  { property: 'position', words: sayPosition, isActive: (value) => value !== 0 },
  either('contact', 'Open', 'Closed'),
  either('motion', 'Motion', 'No motion'),
  either('occupancy', 'Somebody is there', 'Nobody is there'),
  either('leak_detected', 'Leak!', 'No leak'),
  either('smoke_detected', 'Smoke!', 'No smoke'),
  either('carbon_monoxide_detected', 'Carbon monoxide!', 'No carbon monoxide'),
  either('carbon_dioxide_detected', 'Much carbon dioxide', 'Little carbon dioxide'),
  whileOn('brightness'),
  whileOn('speed'),
  { property: 'current_temp', words: (value) => `${value} °C` },
  {
    property: 'hvac_state',
    words: (value) => HVAC_WORDS[String(value)],
    isActive: (value) => /ing$/.test(String(value)),
  },
  { property: 'relative_humidity', words: (value) => `${round(value)} % humidity` },
  { property: 'air_quality', words: (value) => indexed(AIR_WORDS, value) },
  { property: 'ambient_light', words: (value) => `${round(value)} lx` },
  { property: 'volume', words: (value) => `Volume ${round(value)} %` },
  { property: 'mute', words: (value) => (value ? 'Muted' : undefined) },
  {
    property: 'obstruction_detected',
    words: (value) => (value ? 'Something is in the way' : undefined),
    isActive: isTrue,
  },
  { property: 'virtual_mode', words: String },
  { property: 'virtual_count', words: String },
  { property: 'virtual_number', words: String },
  { property: 'virtual_text', words: String },
  { property: 'virtual_datetime', words: (value) => String(value).replace('T', ' ') },
  { property: 'virtual_timer', words: (value) => TIMER_WORDS[String(value)], isActive: (value) => value === 'active' },
  { property: 'low_battery', words: (value) => (value ? 'Battery low' : undefined) },
];

/** Longer texts are cut: a card is no place to read. */
const MAX_LENGTH = 120;

export function stateInWords(accessory: Accessory): StateInWords {
  if (!accessory.reachable) return { words: 'Not reachable', isActive: false };
  const properties: Values = { ...simplify(accessory, new Map()).properties, ...lockState(accessory) };
  const said = ROWS.flatMap(({ property, words, isActive }) => {
    const value = properties[property];
    const phrase = value === undefined ? undefined : words(value, properties);
    return value === undefined || !phrase ? [] : [{ phrase, isActive: isActive?.(value) ?? false }];
  });
  return { words: shorten(said.map(({ phrase }) => phrase).join(' · ')), isActive: said.some((one) => one.isActive) };
}

function shorten(words: string): string {
  return words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH - 1)}…` : words;
}

function lockState({ services }: Accessory): Values {
  const [place] = bindingsOf(services).byType.get(LOCK_CURRENT_STATE) ?? [];
  const value = place ? presentValue(place.characteristic) : null;
  return value === null ? {} : { [LOCK_STATE]: value };
}

function isTrue(value: Value): boolean {
  return value === true || value === 1;
}

function either(property: string, yes: string, no: string): WordsRow {
  return { property, words: (value) => (isTrue(value) ? yes : no), isActive: isTrue };
}

/** How bright a lamp would be while it is off is nobody's question. */
function whileOn(property: string): WordsRow {
  return { property, words: (value, all) => ((all.on ?? all.active) === false ? undefined : `${round(value)} %`) };
}

function sayActive(value: Value, all: Values): string | undefined {
  if ('on' in all || 'hvac_state' in all) return undefined;
  return value ? 'On' : 'Off';
}

function sayPosition(value: Value, all: Values): string | undefined {
  if (DOOR_STATE in all) return undefined;
  if (value === 0) return 'Closed';
  return value === 100 ? 'Open' : `${round(value)} % open`;
}

function indexed(words: readonly string[], value: Value): string | undefined {
  return typeof value === 'number' ? words[value] : undefined;
}

function round(value: Value): Value {
  return typeof value === 'number' ? Math.round(value) : value;
}
