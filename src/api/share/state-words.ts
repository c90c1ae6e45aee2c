/**
 * The state of an accessory in a few words: `On · 40%`, `Locked`, `21.5°C · Heating`. One row a property, in display
 * order; a property without a row is not shown. Written for people with a link, not for the owner.
 */

import type { Accessory } from '../../home/model.ts';
import { bindingsOf } from '../../home/vocabulary/bindings.ts';
import { LOCK_CURRENT_STATE } from '../../home/vocabulary/properties.ts';
import { simplify } from '../../home/vocabulary/simplify.ts';
import { presentValue } from '../../home/vocabulary/values.ts';
import { plainNumber, unitAfter } from '../../texts/intl.ts';
import type { ShareTexts } from './texts.ts';

type Value = boolean | number | string;

type Values = Readonly<Record<string, Value>>;

interface WordsRow {
  readonly property: string;
  /** @returns `undefined` if there is nothing to show. */
  words(value: Value, texts: ShareTexts, all: Values): string | undefined;
  /** Whether the accessory runs, is open or needs attention. */
  isActive?(value: Value): boolean;
}

export interface StateInWords {
  /** Empty for an accessory without a state in words. */
  readonly words: string;
  readonly isActive: boolean;
}

const LOCK_STATE = 'lock_current_state';

const DOOR_STATE = 'current_door_state';
const ROWS: readonly WordsRow[] = [
  { property: 'on', words: presentOn, isActive: isTrue },
  { property: 'active', words: presentActive, isActive: isTrue },
  {
    property: LOCK_STATE,
    words: (value, { states }) => named(states.locks, value),
    isActive: (value) => value !== 1,
  },
  {
    property: 'alarm_state',
    words: (value, { states }) => named(states.alarm, value),
    isActive: (value) => value === 'triggered',
  },
  {
    property: DOOR_STATE,
    words: (value, { states }) => named(states.doors, value),
    isActive: (value) => value !== 1,
  },
  { property: 'position', words: presentPosition, isActive: (value) => value !== 0 },
  either('contact', 'contact'),
  either('motion', 'motion'),
  either('occupancy', 'occupancy'),
  either('leak_detected', 'leak'),
  either('smoke_detected', 'smoke'),
  either('carbon_monoxide_detected', 'carbonMonoxide'),
  either('carbon_dioxide_detected', 'carbonDioxide'),
  whileOn('brightness'),
  whileOn('speed'),
  { property: 'current_temp', words: presentTemperature },
  {
    property: 'hvac_state',
    words: (value, { states }) => named(states.climate, value),
    isActive: (value) => /ing$/.test(String(value)),
  },
  {
    property: 'relative_humidity',
    words: (value, texts) => texts.states.humidity({ percent: asPercent(value, texts) }),
  },
  { property: 'air_quality', words: (value, { states }) => named(states.air, value) },
  { property: 'ambient_light', words: (value, texts) => `${round(value, texts)} lx` },
  { property: 'volume', words: (value, texts) => texts.states.volume({ percent: asPercent(value, texts) }) },
  { property: 'mute', words: (value, { states }) => (value ? states.muted : undefined) },
  {
    property: 'obstruction_detected',
    words: (value, { states }) => (value ? states.obstructed : undefined),
    isActive: isTrue,
  },
  { property: 'virtual_mode', words: (value) => String(value) },
  { property: 'virtual_count', words: asNumber },
  { property: 'virtual_number', words: asNumber },
  { property: 'virtual_text', words: (value) => String(value) },
  { property: 'virtual_datetime', words: (value) => String(value).replace('T', ' ') },
  {
    property: 'virtual_timer',
    words: (value, { states }) => named(states.timer, value),
    isActive: (value) => value === 'active',
  },
  { property: 'low_battery', words: (value, { states }) => (value ? states.batteryLow : undefined) },
];

/** Longer texts are truncated: a card has little space. */
const MAX_LENGTH = 120;

export function stateInWords(accessory: Accessory, texts: ShareTexts): StateInWords {
  if (!accessory.reachable) return { words: texts.states.unreachable, isActive: false };
  const properties: Values = { ...simplify(accessory, new Map()).properties, ...lockState(accessory) };
  const given = ROWS.flatMap(({ property, words, isActive }) => {
    const value = properties[property];
    const phrase = value === undefined ? undefined : words(value, texts, properties);
    return value === undefined || !phrase ? [] : [{ phrase, isActive: isActive?.(value) ?? false }];
  });
  return { words: shorten(given.map(({ phrase }) => phrase).join(' · ')), isActive: given.some((one) => one.isActive) };
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

/** States described by a pair of words. */
type PairName = {
  [K in keyof ShareTexts['states']]: ShareTexts['states'][K] extends { yes: string; no: string } ? K : never;
}[keyof ShareTexts['states']];

function either(property: string, pair: PairName): WordsRow {
  return { property, words: (value, { states }) => states[pair][isTrue(value) ? 'yes' : 'no'], isActive: isTrue };
}

function presentOn(value: Value, { states }: ShareTexts): string {
  return isTrue(value) ? states.on : states.off;
}

/** Hides the brightness of a lamp that is off. */
function whileOn(property: string): WordsRow {
  return {
    property,
    words: (value, texts, all) => ((all.on ?? all.active) === false ? undefined : asPercent(value, texts)),
  };
}

function presentActive(value: Value, { states }: ShareTexts, all: Values): string | undefined {
  if ('on' in all || 'hvac_state' in all) return undefined;
  return value ? states.on : states.off;
}

function presentPosition(value: Value, texts: ShareTexts, all: Values): string | undefined {
  if (DOOR_STATE in all) return undefined;
  if (value === 0) return texts.states.closed;
  return value === 100 ? texts.states.open : texts.states.partlyOpen({ percent: asPercent(value, texts) });
}

function named(words: Readonly<Record<string, string>>, value: Value): string | undefined {
  return words[String(value)];
}

/** To a tenth of a degree. */
function presentTemperature(value: Value, texts: ShareTexts): string {
  const shown = typeof value === 'number' ? Math.round(value * 10) / 10 : value;
  return asNumber(shown, texts) + unitAfter('celsius', texts.language);
}

function asPercent(value: Value, texts: ShareTexts): string {
  return round(value, texts) + unitAfter('percent', texts.language);
}

function round(value: Value, texts: ShareTexts): string {
  return asNumber(typeof value === 'number' ? Math.round(value) : value, texts);
}

function asNumber(value: Value, { language }: ShareTexts): string {
  return typeof value === 'number' ? plainNumber(value, language) : String(value);
}
