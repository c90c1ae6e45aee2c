/** The input of all sentences about flows: the home's names, the language, and formats of times and values. */

import type { Catalogues } from 'texts:types';
import { dateFormat } from '../../../../../texts/intl.ts';
import type { HomeInventory } from '../../../home/home-document.ts';
import { findProperty, findTarget, type PropertyRef } from '../../../pickers/property.ts';
import { inSentence, propertyName, subjectOf, type Words } from '../../../pickers/property-words.ts';
import type { Format } from '../../../texts/format.ts';
import { durationMs } from './durations.ts';
import { type FlowNode, isObject, type Json, textOf, wordsOf } from './flow-record.ts';

export type FlowTexts = Catalogues['automation-flow'];

export interface SentenceContext {
  readonly inventory: HomeInventory;
  /** Automations of both kinds, and people, by id. */
  readonly automations: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, string>;
  /** The triggers of the flow that contains a condition. */
  readonly triggers?: readonly FlowNode[];
  readonly texts: FlowTexts;
  readonly words: Words;
  readonly format: Format;
}

export type Sentence = (node: FlowNode, context: SentenceContext) => string;

/** Longer texts do not fit on a line. */
const MAX_TEXT_LENGTH = 80;

/** A Sunday, the base for weekday names. */
const SUNDAY = Date.UTC(2023, 0, 1, 12);
const DAY_MS = 86_400_000;

/** The characteristic (`power_state_2`) and its accessory or group; nothing if none is chosen yet. */
export function propertyRef(node: FlowNode): PropertyRef | undefined {
  const id = [node.accessoryId, node.serviceGroupId, node.groupId].find((one) => typeof one === 'string');
  const characteristicType = textOf(node, 'characteristicType');
  if (typeof id !== 'string' || id === '' || characteristicType === '') return undefined;
  return { accessoryId: id, characteristicType };
}

export function accessoryName(id: string, { inventory, texts }: SentenceContext): string {
  if (id === '') return texts.notChosen.accessory;
  return findTarget(inventory, id)?.name ?? texts.gone.accessory;
}

export function automationName(id: string, { automations, texts }: SentenceContext): string {
  if (id === '') return texts.notChosen.automation;
  return automations.get(id.toLowerCase()) ?? texts.gone.automation;
}

/** `Ada and Ben`. */
export function peopleNames(ids: Json | undefined, { people, texts, format }: SentenceContext): string {
  return format.list(wordsOf(ids).map((id) => people.get(id.toLowerCase()) ?? texts.gone.person));
}

/** The property and the name of its accessory, for the middle of a sentence. */
export function propertyAndName(ref: PropertyRef, { inventory, words }: SentenceContext): readonly [string, string] {
  const property = findProperty(inventory, ref);
  const type = property?.service.name ? property.characteristic.type : ref.characteristicType;
  return [inSentence(propertyName(type, words.texts), words.texts), subjectOf(inventory, ref, words)];
}

/** `1 h 30 min`; a template is shown as it is. */
export function durationWords(duration: Json | undefined, { format }: SentenceContext): string {
  const ms = durationMs(duration);
  if (ms !== undefined) return format.duration(Math.abs(ms));
  if (typeof duration === 'string') return shortened(duration);
  if (!isObject(duration)) return '…';
  return Object.entries(duration)
    .map(([unit, value]) => `${String(value)} ${unit}`)
    .join(' ');
}

/** `07:00`, in the format of the page's language. */
export function clockWords(time: string, { format }: SentenceContext): string {
  const [hours = Number.NaN, minutes = 0, seconds = 0] = time.split(':').map(Number);
  if (Number.isNaN(hours)) return time;
  const shown = seconds === 0 ? ({ hour: '2-digit', minute: '2-digit' } as const) : ({ timeStyle: 'medium' } as const);
  return dateFormat(format.locale, { ...shown, timeZone: 'UTC' }).format(Date.UTC(2023, 0, 1, hours, minutes, seconds));
}

/** @param days 0 = Sunday … 6 = Saturday; an empty list is every day */
export function daysWords(days: Json | undefined, { texts, format }: SentenceContext): string {
  const list = Array.isArray(days) ? days.filter((day): day is number => typeof day === 'number') : [];
  const key = [...list].sort().join(',');
  if (list.length === 0 || key === '0,1,2,3,4,5,6') return texts.day.every;
  if (key === '1,2,3,4,5') return texts.day.weekdays;
  if (key === '0,6') return texts.day.weekend;
  // The week begins on Monday.
  const fromMonday = [...list].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
  return texts.day.on({ days: format.list(fromMonday.map((day) => weekdayName(day, format))) });
}

/** @param day 0 = Sunday */
export function weekdayName(day: number, { locale }: Pick<Format, 'locale'>): string {
  const name = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return name.format(new Date(SUNDAY + day * DAY_MS));
}

export function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_TEXT_LENGTH ? line : `${line.slice(0, MAX_TEXT_LENGTH - 1)}…`;
}

/** Any JSON value on one line. */
export function plainWords(value: Json | undefined): string {
  if (value === undefined || value === null) return '…';
  return shortened(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Capitalizes the first letter of a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
