/** Every kind of trigger: its form and its sentence, "When Hall Sensor detects motion, for 5 min". */
import {
  AlarmClock,
  ArrowUpDown,
  BellRing,
  Braces,
  CalendarDays,
  Hourglass,
  Link2,
  MapPin,
  Megaphone,
  Power,
  Repeat,
  Repeat1,
  Server,
  Sun,
  Unplug,
  Users,
} from 'lucide-react';
import { valueText, whenText } from '../../../pickers/property-words.ts';
import { durationMs } from './durations.ts';
import { type FlowNode, isObject, type Json, numberOf, textOf, wordsOf } from './flow-record.ts';
import { EXPRESSION, FOR, field, JSON_OBJECT, type Kind, LEVEL, need, PROPERTY, SUN, VALUE, WEEKDAYS } from './kind.ts';
import {
  accessoryName,
  automationName,
  capitalized,
  clockWords,
  daysWords,
  durationWords,
  peopleNames,
  plainWords,
  propertyAndName,
  propertyRef,
  type SentenceContext,
  shortened,
  weekdayName,
} from './sentence-context.ts';

/**
 * Five minutes, the relay's default for a trigger of a lost device (`triggers/device-availability.ts` of the relay).
 */
const DEFAULT_LOSS = { minutes: 5 };
const DATE_PARTS = ['year', 'month', 'day', 'weekday', 'hour', 'minute', 'second'] as const;

export const TRIGGERS: readonly Kind[] = [
  {
    type: 'state',
    icon: Power,
    fields: [PROPERTY('read'), field('to', VALUE), field('from', VALUE, { isAdvanced: true }), FOR],
    sentence(node, context) {
      const ref = propertyRef(node);
      if (!ref) return context.texts.trigger.incompleteProperty;
      return staying(whenText(context.inventory, ref, { to: node.to }, context.words), node.for, context);
    },
  },
  {
    type: 'numeric_state',
    icon: ArrowUpDown,
    fields: [PROPERTY('number'), field('above', LEVEL), field('below', LEVEL), FOR],
    sentence(node, context) {
      const ref = propertyRef(node);
      if (!ref) return context.texts.trigger.incompleteProperty;
      return staying(crossing(node, context), node.for, context);
    },
  },
  {
    type: 'time',
    icon: AlarmClock,
    fields: [need('at', { is: 'time' }), WEEKDAYS],
    initial: { at: '07:00' },
    sentence: (node, context) =>
      context.texts.trigger.time({
        at: clockWords(textOf(node, 'at'), context),
        days: daysWords(node.weekdays, context),
      }),
  },
  {
    type: 'sun',
    icon: Sun,
    fields: [need('event', SUN), field('offset', { is: 'offset' })],
    initial: { event: 'sunset' },
    sentence(node, context) {
      const { trigger } = context.texts;
      const event = node.event === 'sunrise' ? 'sunrise' : 'sunset';
      const ms = durationMs(node.offset) ?? 0;
      if (ms === 0) return trigger[event];
      const span = durationWords(node.offset, context);
      return capitalized(ms < 0 ? trigger.beforeSun[event]({ span }) : trigger.afterSun[event]({ span }));
    },
  },
  {
    type: 'time_pattern',
    icon: Repeat,
    fields: [need('minutes', { is: 'pattern' })],
    initial: { minutes: '/15' },
    sentence: (node, { texts }) => patternWords(node, texts.trigger),
  },
  {
    type: 'presence',
    icon: Users,
    fields: [
      need('event', { is: 'choice', choices: ['lastDeparture', 'firstArrival', 'notAtHome', 'atHome'] }),
      field('personIds', { is: 'people' }, { when: ({ event }) => event === 'atHome' || event === 'notAtHome' }),
    ],
    initial: { event: 'lastDeparture' },
    sentence(node, context) {
      const { presence, presenceOf } = context.texts.trigger;
      const event = keyOf(presence, textOf(node, 'event')) ?? 'atHome';
      if (wordsOf(node.personIds).length === 0 || !(event in presenceOf)) return presence[event];
      return presenceOf[event as keyof typeof presenceOf]({ names: peopleNames(node.personIds, context) });
    },
  },
  {
    type: 'location',
    icon: MapPin,
    fields: [
      need('latitude', { is: 'place' }),
      need('radius', { is: 'number', min: 1, max: 20_000_000, unit: 'metres' }),
      field('notifyOnEntry', { is: 'flag' }),
      field('notifyOnExit', { is: 'flag' }),
      field('personIds', { is: 'people' }),
    ],
    initial: { radius: 150, notifyOnEntry: true, notifyOnExit: false },
    sentence(node, context) {
      const { location, metres, someone } = context.texts.trigger;
      const who = wordsOf(node.personIds).length > 0 ? peopleNames(node.personIds, context) : someone;
      const radius = metres({ count: context.format.number(numberOf(node, 'radius') ?? 0) });
      const [entry, exit] = [node.notifyOnEntry !== false, node.notifyOnExit === true];
      return location[entry && exit ? 'both' : exit ? 'exit' : 'entry']({ who, radius });
    },
  },
  {
    type: 'device_availability',
    icon: Unplug,
    fields: [
      need('accessoryId', { is: 'accessory' }),
      need('to', { is: 'choice', choices: ['unavailable', 'available'] }),
      FOR,
    ],
    initial: { to: 'unavailable' },
    sentence(node, context) {
      const { trigger } = context.texts;
      const to = node.to === 'available' ? 'available' : 'unavailable';
      const sentence = trigger[to]({ name: accessoryName(textOf(node, 'accessoryId'), context) });
      return staying(sentence, node.for ?? DEFAULT_LOSS, context);
    },
  },
  {
    type: 'webhook',
    icon: Link2,
    fields: [field('webhookId', { is: 'webhook' }), field('allowedMethods', { is: 'methods' }, { isAdvanced: true })],
    sentence: (_, { texts }) => texts.trigger.webhook,
  },
  {
    type: 'notification_action',
    icon: BellRing,
    fields: [
      field('automationId', { is: 'flow' }),
      field('buttonId', { is: 'text' }),
      field('tag', { is: 'text' }, { isAdvanced: true }),
    ],
    sentence(node, context) {
      const { trigger } = context.texts;
      const [button, id] = [textOf(node, 'buttonId'), textOf(node, 'automationId')];
      const name = id === '' ? '' : automationName(id, context);
      if (button === '') return name === '' ? trigger.anyButton : trigger.anyButtonOf({ name });
      return name === '' ? trigger.notificationButton({ button }) : trigger.notificationButtonOf({ button, name });
    },
  },
  {
    type: 'event',
    icon: Megaphone,
    fields: [need('eventType', { is: 'text' }), field('eventData', JSON_OBJECT, { isAdvanced: true })],
    sentence(node, context) {
      const { trigger } = context.texts;
      const type = textOf(node, 'eventType');
      if (type !== 'automation.error') return trigger.event({ type });
      const id = isObject(node.eventData) ? textOf(node.eventData, 'automationId') : '';
      return id === '' ? trigger.automationFailed : trigger.automationFailedOf({ name: automationName(id, context) });
    },
  },
  {
    type: 'template',
    icon: Braces,
    fields: [EXPRESSION, FOR],
    sentence(node, context) {
      const { texts } = context;
      const sentence = texts.trigger.template({
        expression: texts.expression({ text: shortened(textOf(node, 'expression')) }),
      });
      return staying(sentence, node.for, context);
    },
  },
  {
    type: 'system',
    icon: Server,
    fields: [
      need('event', { is: 'choice', choices: ['relay_connected', 'relay_disconnected', 'automation_reloaded'] }),
    ],
    initial: { event: 'relay_connected' },
    sentence: (node, { texts }) =>
      texts.trigger.system[keyOf(texts.trigger.system, textOf(node, 'event')) ?? 'relay_connected'],
  },
  {
    type: 'calendar',
    icon: CalendarDays,
    fields: [need('components', { is: 'dateParts' })],
    initial: { components: { day: 1, hour: 9, minute: 0 } },
    sentence: (node, context) => context.texts.trigger.calendar({ parts: datePartsWords(node.components, context) }),
  },
  {
    type: 'timer',
    icon: Repeat1,
    fields: [
      need('fireDate', { is: 'moment' }),
      field('recurrence', { is: 'dateParts' }, { isAdvanced: true }),
      field('timeZone', { is: 'text' }, { isAdvanced: true }),
    ],
    sentence(node, { texts, format }) {
      const date = textOf(node, 'fireDate');
      const at = Number.isNaN(Date.parse(date)) ? '…' : format.dateTime(date);
      return node.recurrence === undefined ? texts.trigger.timer({ at }) : texts.trigger.timerAgain({ at });
    },
  },
  {
    type: 'duration',
    icon: Hourglass,
    fields: [need('seconds', { is: 'number', min: 0, max: 2_592_000, unit: 'seconds' })],
    initial: { seconds: 60 },
    isOnlyForWaits: true,
    sentence: (node, { texts, format }) =>
      texts.trigger.after({ duration: format.duration((numberOf(node, 'seconds') ?? 0) * 1000) }),
  },
];

function staying(sentence: string, duration: Json | undefined, context: SentenceContext): string {
  const isNothing = duration === undefined || durationMs(duration) === 0;
  return isNothing ? sentence : context.texts.trigger.stays({ sentence, duration: durationWords(duration, context) });
}

function crossing(node: FlowNode, context: SentenceContext): string {
  const ref = propertyRef(node) ?? { accessoryId: '', characteristicType: '' };
  const { trigger } = context.texts;
  const [property, name] = propertyAndName(ref, context);
  const sentences = (value: number) => valueText(ref.characteristicType, value, context.words);
  const [above, below] = [numberOf(node, 'above'), numberOf(node, 'below')];
  if (above !== undefined && below !== undefined)
    return trigger.between({ property, name, low: sentences(above), high: sentences(below) });
  if (above !== undefined) return trigger.above({ property, name, value: sentences(above) });
  if (below !== undefined) return trigger.below({ property, name, value: sentences(below) });
  return whenText(context.inventory, ref, {}, context.words);
}

function patternWords(node: FlowNode, texts: SentenceContext['texts']['trigger']): string {
  const [hours, minutes, seconds] = [partOf(node.hours), partOf(node.minutes), partOf(node.seconds)];
  const every = (part: string | undefined) => Number(/^\/(\d+)$/.exec(part ?? '')?.[1] ?? Number.NaN);
  const isOnly = (part: string | undefined, ...others: (string | undefined)[]) =>
    !Number.isNaN(every(part)) && others.every((other) => other === undefined || other === '*' || other === '0');
  if (isOnly(hours, minutes, seconds)) return texts.everyHours({ count: every(hours) });
  if ((hours === undefined || hours === '*') && isOnly(minutes, seconds))
    return texts.everyMinutes({ count: every(minutes) });
  if (hours === undefined && minutes === undefined && isOnly(seconds))
    return texts.everySeconds({ count: every(seconds) });
  const isHourly = (hours === undefined || hours === '*') && /^\d+$/.test(minutes ?? '') && (seconds ?? '0') === '0';
  if (isHourly) return texts.hourlyAt({ minute: minutes ?? '' });
  return texts.pattern({ pattern: [hours ?? '*', minutes ?? '*', seconds ?? '*'].join(':') });
}

function partOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

export function datePartsWords(components: Json | undefined, { texts, format }: SentenceContext): string {
  if (!isObject(components)) return plainWords(components);
  const parts = DATE_PARTS.flatMap((part) => {
    const value = components[part];
    if (typeof value !== 'number') return [];
    return [texts.dateParts[part]({ value: part === 'weekday' ? weekdayName(value - 1, format) : String(value) })];
  });
  return parts.join(', ') || '…';
}

function keyOf<T extends object>(table: T, key: string): keyof T | undefined {
  return Object.hasOwn(table, key) ? (key as keyof T) : undefined;
}
