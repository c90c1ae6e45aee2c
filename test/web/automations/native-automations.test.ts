/**
 * Simple automations as the dashboard holds them: read from the API, shown as sentences, and sent back without a
 * loss.
 */

import nativeTexts from 'texts:native-automations';
import pickerTexts from 'texts:pickers';
import { describe, expect, it } from 'vitest';
import type { NativeAutomation } from '../../../src/web/dashboard/pages/automations/native/native-document.ts';
import {
  draftOf,
  inputOf,
  type NativeEvent,
} from '../../../src/web/dashboard/pages/automations/native/native-draft.ts';
import { eventText, summaryOf } from '../../../src/web/dashboard/pages/automations/native/native-words.ts';
import { findProperty, propertiesOf } from '../../../src/web/dashboard/pickers/property.ts';
import { createFormat } from '../../../src/web/dashboard/texts/format.ts';
import { accessoryOf, homeOf, lampOf } from '../home/sample-home.ts';

const INVENTORY = homeOf([
  lampOf('Lamp'),
  accessoryOf('Hall', 'motion', { motion_sensor: { motion_detected: false } }),
  accessoryOf('Climate', 'temperature', {
    temperature_sensor: { current_temperature: { value: 20, format: 'float' } },
  }),
]);

function wordsIn(language: 'en' | 'de') {
  const format = createFormat(language, 'celsius', language === 'de' ? 'de-DE' : 'en-GB');
  return {
    inventory: INVENTORY,
    words: { texts: pickerTexts.in(language), format },
    texts: nativeTexts.in(language),
    people: new Map([['p1', 'Ada']]),
  };
}

const NOTHING = {
  ...{ accessoryId: null, accessoryName: null, characteristicType: null, triggerValue: null, thresholdMin: null },
  ...{ thresholdMax: null, significantEvent: null, offsetMinutes: null, calendarComponents: null, latitude: null },
  ...{ longitude: null, radius: null, durationSeconds: null, notifyOnEntry: null, notifyOnExit: null },
  ...{ presenceType: null, presenceEvent: null, personIds: null },
};
const NO_CONDITION = {
  ...{ accessoryId: null, accessoryName: null, characteristicType: null, operator: null, value: null },
  ...{ afterTime: null, beforeTime: null, afterEvent: null, beforeEvent: null },
  ...{ presenceType: null, presenceEvent: null, personIds: null },
};

/** As the relay shows it: what the document calls JSON-encoded is a text. */
const SHOWN: NativeAutomation = {
  ...{ id: 'a', name: 'Hall light', homeId: 'home', isEnabled: true, lastFireDate: null },
  trigger: {
    ...{ type: 'event', fireDate: null, recurrence: null, timeZone: null, activationState: 'enabled' },
    recurrences: '[{"weekday":2},{"weekday":7}]',
    executeOnce: false,
    events: [
      {
        ...NOTHING,
        type: 'characteristic',
        accessoryId: 'Hall',
        accessoryName: 'Hall',
        characteristicType: 'motion_detected',
        triggerValue: 'true',
      },
      { ...NOTHING, type: 'calendar', calendarComponents: '{"hour":7,"minute":5}' },
    ],
    endEvents: [{ ...NOTHING, type: 'duration', durationSeconds: 300 }],
    conditions: [
      {
        ...NO_CONDITION,
        type: 'time',
        afterTime: '{"hour":22,"minute":0,"second":30}',
        beforeTime: '{"hour":6,"minute":30}',
      },
      { ...NO_CONDITION, type: 'significantEvent', afterEvent: 'sunset', beforeEvent: 'sunrise' },
    ],
  },
  actions: [
    { accessoryId: 'Lamp', accessoryName: 'Lamp', characteristicType: 'brightness', targetValue: '40' },
    { accessoryId: 'gone', accessoryName: 'Old lamp', characteristicType: 'power_state', targetValue: 'true' },
  ],
};

describe('a simple automation', () => {
  it('goes back to the relay with all that it was shown with, trigger and actions as JSON text', () => {
    const { name, trigger, actions } = inputOf(draftOf(SHOWN));
    expect({ name, trigger: JSON.parse(trigger), actions: JSON.parse(actions) }).toEqual({
      name: 'Hall light',
      trigger: {
        type: 'event',
        executeOnce: false,
        events: [
          { type: 'characteristic', accessoryId: 'Hall', characteristicType: 'motion_detected', triggerValue: true },
          { type: 'calendar', calendarComponents: { hour: 7, minute: 5 } },
        ],
        endEvents: [{ type: 'duration', durationSeconds: 300 }],
        conditions: [
          { type: 'time', afterTime: '22:00:30', beforeTime: '06:30' },
          { type: 'significantEvent', afterEvent: 'sunset', beforeEvent: 'sunrise' },
        ],
        recurrences: [{ weekday: 2 }, { weekday: 7 }],
      },
      actions: [
        { accessoryId: 'Lamp', characteristicType: 'brightness', targetValue: 40 },
        { accessoryId: 'gone', characteristicType: 'power_state', targetValue: true },
      ],
    });
  });

  it('is described in both languages, accessories that are gone by the name that they had', () => {
    expect(summaryOf(draftOf(SHOWN), wordsIn('en'))).toEqual({
      when: ['When Hall detects motion', 'Every day at 07:05'],
      onlyIf: ['Only on Monday and Saturday', 'It is between 22:00:30 and 06:30', 'During the night'],
      does: ['Set brightness of Lamp to 40%', 'Turn on Old lamp'],
      until: ['After 5 mins'],
    });
    const german = summaryOf(draftOf(SHOWN), wordsIn('de'));
    expect(german.when[0]).toBe('Wenn Hall Bewegung meldet');
    expect(german.does[1]).toBe('Old lamp einschalten');
  });

  const EVENTS: readonly (readonly [NativeEvent, string])[] = [
    [{ type: 'significantTime', significantEvent: 'sunset', offsetMinutes: 0 }, 'At sunset'],
    [{ type: 'significantTime', significantEvent: 'sunrise', offsetMinutes: -90 }, '1 hr 30 mins before sunrise'],
    [{ type: 'calendar', calendarComponents: { hour: 8, minute: 0, day: 1 } }, 'On day 1 of every month at 08:00'],
    [{ type: 'calendar', calendarComponents: { minute: 15 } }, 'Every hour, 15 minutes past'],
    [
      { type: 'presence', presenceEvent: 'atHome', presenceType: 'customUsers', personIds: ['p1'] },
      'When Ada comes home',
    ],
    [
      { type: 'characteristic', accessoryId: 'Climate', characteristicType: 'current_temperature', thresholdMin: 25 },
      'When temperature of Climate reaches 25°C or more',
    ],
    [
      { type: 'characteristic', accessoryId: 'Lamp', characteristicType: 'brightness' },
      'When brightness of Lamp changes',
    ],
  ];
  it.each(EVENTS)('shows %j as "%s"', (event, sentence) => {
    expect(eventText(event, wordsIn('en'))).toBe(sentence);
  });
});

describe('the properties of an accessory', () => {
  it('are numbered as the relay does: first the service that makes it what it is', () => {
    const fan = accessoryOf('Fan', 'light', {
      fan: { power_state: true },
      lightbulb: { power_state: false, name: 'Light' },
    });
    const found = propertiesOf(fan).map(({ characteristicType, service }) => [characteristicType, service.type]);
    expect(found).toEqual([
      ['power_state', 'lightbulb'],
      ['power_state_2', 'fan'],
    ]);
    const second = findProperty(homeOf([fan]), { accessoryId: 'FAN', characteristicType: 'power_state_2' });
    expect(second?.characteristic.value).toBe(true);
  });
});
