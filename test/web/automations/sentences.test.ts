/** Flows as sentences, in both languages, with any part missing or gone. */

import flowTexts from 'texts:automation-flow';
import pickerTexts from 'texts:pickers';
import { describe, expect, it } from 'vitest';
import type { FlowNode } from '../../../src/web/dashboard/pages/automations/flow/flow-record.ts';
import { kindsOf } from '../../../src/web/dashboard/pages/automations/flow/registry.ts';
import type { SentenceContext } from '../../../src/web/dashboard/pages/automations/flow/sentence-context.ts';
import {
  describeAction,
  describeCondition,
  describeTrigger,
} from '../../../src/web/dashboard/pages/automations/flow/sentences.ts';
import { createFormat } from '../../../src/web/dashboard/texts/format.ts';
import { accessoryOf, homeOf, lampOf } from '../home/sample-home.ts';

const INVENTORY = {
  ...homeOf([
    lampOf('Lamp'),
    accessoryOf('Hall', 'motion', { motion_sensor: { motion_detected: false } }),
    accessoryOf('Climate', 'temperature', {
      temperature_sensor: { current_temperature: { value: 20, format: 'float' } },
    }),
  ]),
  scenes: [
    {
      id: 'movie',
      name: 'Movie',
      isBuiltIn: false,
      actionSetType: 'user_defined',
      icon: null,
      color: null,
      actionList: [{ accessoryId: 'Lamp' }],
    },
  ],
};

function contextIn(language: 'en' | 'de'): SentenceContext {
  const format = createFormat(language, 'celsius', language === 'de' ? 'de-DE' : 'en-GB');
  return {
    inventory: INVENTORY,
    automations: new Map([['a1', 'Morning']]),
    people: new Map([['p1', 'Ada']]),
    triggers: [{ id: 'sun_1', type: 'sun', event: 'sunset' }],
    texts: flowTexts.in(language),
    words: { texts: pickerTexts.in(language), format },
    format,
  };
}

const DESCRIBE = { trigger: describeTrigger, condition: describeCondition, action: describeAction };
type Role = keyof typeof DESCRIBE;

function both(role: Role, node: FlowNode): readonly [string, string] {
  return [DESCRIBE[role](node, contextIn('en')), DESCRIBE[role](node, contextIn('de'))];
}

const motion = { type: 'state', accessoryId: 'Hall', characteristicType: 'motion_detected', to: true };
const warm = { type: 'numeric_state', accessoryId: 'Climate', characteristicType: 'current_temperature', above: 25 };
const lampOn = { type: 'set_characteristic', accessoryId: 'Lamp', characteristicType: 'power_state', value: true };

const ROWS: readonly (readonly [Role, FlowNode, string, string])[] = [
  ['trigger', motion, 'When Hall detects motion', 'Wenn Hall Bewegung meldet'],
  [
    'trigger',
    { ...warm, for: { minutes: 5 } },
    'When temperature of Climate rises above 25°C, for 5 mins',
    'Wenn Temperatur von Climate über 25 °C steigt, und das 5 Min. lang',
  ],
  [
    'trigger',
    { type: 'time', at: '07:30', weekdays: [1, 2, 3, 4, 5] },
    'At 07:30, Monday to Friday',
    'Um 07:30, Montag bis Freitag',
  ],
  [
    'trigger',
    { type: 'sun', event: 'sunset', offset: { minutes: -30 } },
    '30 mins before sunset',
    '30 Min. vor Sonnenuntergang',
  ],
  ['trigger', { type: 'time_pattern', minutes: '/15' }, 'Every 15 minutes', 'Alle 15 Minuten'],
  [
    'trigger',
    { type: 'time_pattern', hours: '7', minutes: '5' },
    'Whenever the clock shows 7:5:*',
    'Immer wenn die Uhr 7:5:* zeigt',
  ],
  [
    'trigger',
    { type: 'presence', event: 'atHome', personIds: ['p1'] },
    'When Ada comes home',
    'Wenn Ada nach Hause kommt',
  ],
  [
    'trigger',
    { type: 'event', eventType: 'automation.error' },
    'When an automation fails',
    'Wenn eine Automation fehlschlägt',
  ],
  [
    'condition',
    { type: 'time', after: '22:00', before: '06:00' },
    'It is between 22:00 and 06:00',
    'Es ist zwischen 22:00 und 06:00',
  ],
  ['condition', { type: 'presence', event: 'notAtHome', who: 'everyone' }, 'No one is at home', 'Niemand ist zu Hause'],
  [
    'condition',
    { type: 'trigger', triggerId: 'sun_1' },
    'Triggered by: At sunset',
    'Es begann so: Bei Sonnenuntergang',
  ],
  ['action', { type: 'execute_scene', sceneId: 'MOVIE' }, 'Run the scene Movie', 'Szene Movie aufrufen'],
  [
    'action',
    { type: 'execute_scene', sceneId: 'gone' },
    'Run the scene a removed scene',
    'Szene eine entfernte Szene aufrufen',
  ],
  ['action', { type: 'delay', duration: { hours: 1, minutes: 30 } }, 'Wait 1 hr 30 mins', '1 Std. 30 Min. warten'],
  ['action', { type: 'delay', duration: '{{ pause }}' }, 'Wait {{ pause }}', '{{ pause }} warten'],
  [
    'action',
    { type: 'toggle_automation', automationId: 'A1', action: 'disable' },
    'Turn off the automation Morning',
    'Automation Morning ausschalten',
  ],
  [
    'action',
    { type: 'fire_webhook', url: 'https://example.org/secret?key=1', method: 'POST' },
    'Send a request to example.org (POST)',
    'Anfrage an example.org senden (POST)',
  ],
];

describe('sentences about flows', () => {
  it.each(ROWS)('describe what a %s does: %j', (role, node, english, german) => {
    expect(both(role, node).map((text) => text.replaceAll('\u00a0', ' '))).toEqual([english, german]);
  });

  it('join conditions as they count, blocks within blocks too', () => {
    const night = { type: 'sun', after: 'sunset' };
    const away = { type: 'presence', event: 'notAtHome', who: 'everyone' };
    const block = { operator: 'not', conditions: [{ operator: 'or', conditions: [night, away] }, night] };
    expect(both('condition', block)[0]).toBe(
      'None of these: Any of these: It is after sunset or No one is at home and It is after sunset',
    );
    expect(both('condition', { operator: 'and', conditions: [] })).toEqual(['Always', 'Immer']);
  });

  it('follow what devices are called and how they are set', () => {
    const [english, german] = both('action', lampOn);
    expect(english).toContain('Lamp');
    expect(german).toContain('Lamp');
    expect(both('action', { ...lampOn, accessoryId: 'gone' })[0]).toContain('removed');
  });

  it('describe every kind, with nothing filled in and with everything of a wrong type', () => {
    for (const role of ['trigger', 'condition', 'action'] as const) {
      for (const { type, fields, initial } of kindsOf(role)) {
        const wrong = Object.fromEntries(fields.map(({ name }) => [name, { odd: [1, null] }]));
        for (const node of [{ type }, { type, ...initial }, { type, ...wrong }]) {
          for (const sentence of both(role, node)) {
            expect(sentence.trim(), type).not.toBe('');
            expect(sentence, type).not.toMatch(/undefined|\[object|type “|Art „/);
          }
        }
      }
      expect(both(role, { type: 'from_tomorrow' })[0]).toContain('from_tomorrow');
    }
  });
});
