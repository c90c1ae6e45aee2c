/** What the form of a blueprint begins with, and what it sends. */
import { describe, expect, it } from 'vitest';
import type { OfferedBlueprint } from '../../../src/contract/blueprints.ts';
import {
  emptyInputs,
  initialValues,
  inputOf,
  sentValues,
  toDuration,
  toMs,
  versionOf,
} from '../../../src/web/dashboard/pages/automations/blueprints/blueprint-values.ts';

const OFFERED: OfferedBlueprint = {
  id: null,
  icon: null,
  missing: [],
  choices: { lights: ['a', 'b'], sensor: ['c'], valves: ['d'] },
  blueprint: {
    hearthd_blueprint: 1,
    name: 'Some',
    description: '',
    automation: {},
    inputs: [
      { id: 'lights', name: 'Lights', kind: 'accessory', multiple: true, all: true },
      { id: 'sensor', name: 'Sensor', kind: 'accessory' },
      { id: 'valves', name: 'Valves', kind: 'accessory', multiple: true, optional: true },
      { id: 'level', name: 'Level', kind: 'number', default: 40 },
      { id: 'loud', name: 'Loud', kind: 'flag' },
      { id: 'days', name: 'Days', kind: 'weekdays', optional: true },
      { id: 'message', name: 'Message', kind: 'text' },
    ],
  },
};
const { inputs } = OFFERED.blueprint;

describe('the form of a blueprint', () => {
  it('begins with the defaults, and with all accessories where the blueprint asks for them', () => {
    expect(initialValues(OFFERED)).toEqual({
      lights: ['a', 'b'],
      sensor: undefined,
      valves: [],
      level: 40,
      loud: false,
      days: [],
      message: undefined,
    });
  });

  it('sends what was chosen, and an empty list where the relay would fill it in', () => {
    expect(sentValues(inputs, { ...initialValues(OFFERED), lights: [], message: '' })).toEqual({
      lights: [],
      level: 40,
      loud: false,
    });
  });

  it('knows the required inputs without a value', () => {
    expect(emptyInputs(inputs, initialValues(OFFERED))).toEqual(['sensor', 'message']);
    expect(emptyInputs(inputs, { ...initialValues(OFFERED), lights: [], sensor: 'c', message: 'x' })).toEqual([
      'lights',
    ]);
  });

  it('finds the input of an error, and the version of a file', () => {
    expect([inputOf('inputs.lights[1]'), inputOf('inputs.after.minutes'), inputOf('name'), inputOf(undefined)]).toEqual(
      ['lights', 'after', undefined, undefined],
    );
    expect([versionOf('{ "hearthd_blueprint" : 12 }'), versionOf('{}')]).toEqual(['12', undefined]);
  });

  it('counts durations in milliseconds', () => {
    expect([toMs({ hours: 1, minutes: 2, seconds: 3 }), toMs(undefined), toDuration(90_000)]).toEqual([
      3_723_000,
      0,
      { seconds: 90 },
    ]);
  });
});
