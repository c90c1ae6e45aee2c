/** What all sentences about flows are made of: the home's names, the language, and words for times and things. */
import type { House } from '../../../house/house-document.ts';
import type { Format } from '../../../texts/format.ts';
import type { TextsLike } from '../../../texts/texts.ts';
import { findProperty, findTarget, type PropertyRef } from '../pickers/property.ts';
import { propertyName, subjectOf, type Words } from '../pickers/property-words.ts';
import { durationMs } from './durations.ts';
import { type FlowNode, isObject, type Json, textOf, wordsOf } from './flow-record.ts';
import type { flowTexts } from './texts/texts.ts';

export type FlowTexts = TextsLike<(typeof flowTexts)['en']>;

export interface SentenceContext {
  readonly house: House;
  /** Automations of both shapes, and people, by id. */
  readonly automations: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, string>;
  /** Of the flow that a condition is in: what it may have begun with. */
  readonly triggers?: readonly FlowNode[];
  readonly texts: FlowTexts;
  readonly words: Words;
  readonly format: Format;
}

export type Sentence = (node: FlowNode, context: SentenceContext) => string;
export type Sentences = Readonly<Record<string, Sentence>>;

/** More would be no line for people any more. */
const LONGEST_TEXT = 80;

/** A Sunday, from which weekdays are named. */
const SUNDAY = Date.UTC(2023, 0, 1, 12);
const DAY_MS = 86_400_000;

/** `power_state_2` of which accessory or group; nothing where it is not chosen yet. */
export function propertyRef(node: FlowNode): PropertyRef | undefined {
  const id = [node.accessoryId, node.serviceGroupId, node.groupId].find((one) => typeof one === 'string');
  const characteristicType = textOf(node, 'characteristicType');
  if (typeof id !== 'string' || id === '' || characteristicType === '') return undefined;
  return { accessoryId: id, characteristicType };
}

export function accessoryName(id: string, { house, texts }: SentenceContext): string {
  if (id === '') return texts.notChosen.accessory;
  return findTarget(house, id)?.name ?? texts.gone.accessory;
}

export function automationName(id: string, { automations, texts }: SentenceContext): string {
  if (id === '') return texts.notChosen.automation;
  return automations.get(id.toLowerCase()) ?? texts.gone.automation;
}

/** `Ada and Ben`. */
export function peopleNames(ids: Json | undefined, { people, texts, format }: SentenceContext): string {
  return format.list(wordsOf(ids).map((id) => people.get(id.toLowerCase()) ?? texts.gone.person));
}

/** The property and the name of what has it, as they stand in the middle of a sentence. */
export function propertyAndName(ref: PropertyRef, { house, words }: SentenceContext): readonly [string, string] {
  const property = findProperty(house, ref);
  const type = property?.service.name ? property.characteristic.type : ref.characteristicType;
  return [words.texts.inSentence(propertyName(type, words.texts)), subjectOf(house, ref, words)];
}

/** `1 h 30 min`; what a template says stands as it is. */
export function durationWords(duration: Json | undefined, { format }: SentenceContext): string {
  const ms = durationMs(duration);
  if (ms !== undefined) return format.duration(Math.abs(ms));
  if (typeof duration === 'string') return shortened(duration);
  if (!isObject(duration)) return '…';
  return Object.entries(duration)
    .map(([unit, value]) => `${String(value)} ${unit}`)
    .join(' ');
}

/** `07:00`, as the clock of the page's language shows it. */
export function clockWords(time: string, { format }: SentenceContext): string {
  const [hours = Number.NaN, minutes = 0, seconds = 0] = time.split(':').map(Number);
  if (Number.isNaN(hours)) return time;
  const at = new Date(2023, 0, 1, hours, minutes, seconds);
  if (seconds === 0) return format.time(at);
  return new Intl.DateTimeFormat(format.locale, { timeStyle: 'medium' }).format(at);
}

/** @param days 0 = Sunday … 6 = Saturday; every day where there are none */
export function daysWords(days: Json | undefined, { texts, format }: SentenceContext): string {
  const list = Array.isArray(days) ? days.filter((day): day is number => typeof day === 'number') : [];
  const key = [...list].sort().join('');
  if (list.length === 0 || key === '0123456') return texts.day.every;
  if (key === '12345') return texts.day.weekdays;
  if (key === '06') return texts.day.weekend;
  // Weeks begin on Monday where most people read this.
  const fromMonday = [...list].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
  return texts.day.on(format.list(fromMonday.map((day) => weekdayName(day, format))));
}

/** @param day 0 = Sunday */
export function weekdayName(day: number, { locale }: Pick<Format, 'locale'>): string {
  const name = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return name.format(new Date(SUNDAY + day * DAY_MS));
}

export function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= LONGEST_TEXT ? line : `${line.slice(0, LONGEST_TEXT - 1)}…`;
}

/** Any JSON value in a line. */
export function plainWords(value: Json | undefined): string {
  if (value === undefined || value === null) return '…';
  return shortened(typeof value === 'string' ? value : JSON.stringify(value));
}

/** For the beginning of a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
