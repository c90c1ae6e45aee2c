import pickerTexts from 'texts:pickers';
import { expect, it } from 'vitest';
import german from '../../../src/texts/de/pickers.json' with { type: 'json' };
import english from '../../../src/texts/en/pickers.json' with { type: 'json' };
import { effectsOf } from '../../../src/web/dashboard/pages/scenes/scene-effects.ts';
import { doesPhrase } from '../../../src/web/dashboard/pickers/property-words.ts';

const texts = pickerTexts.in('en');

const action = (accessoryName: string | null, propertyName: string, targetValue: unknown) => ({
  ...{ accessoryId: String(accessoryName), accessoryName, propertyName, targetValue },
});

function effects(actions: readonly ReturnType<typeof action>[]) {
  const found = effectsOf(actions, (...setting) => Boolean(doesPhrase(...setting, texts)));
  return found.map(({ setting, names }) => ({ setting, names }));
}

it('a scene is described by what it turns on and off, and what else it sets, each accessory once', () => {
  const actions = [
    action('Lamp', 'brightness', 30),
    action('Lamp', 'power_state', true),
    action('Fan', 'active', 0),
    action('Strip', 'power_state', false),
    action('Strip', 'power_state_2', true),
    action('Blind', 'target_position', 0),
    action(null, 'power_state', false),
  ];
  expect(effects(actions)).toEqual([
    { setting: ['power_state', true], names: ['Lamp', 'Strip'] },
    { setting: ['power_state', false], names: ['Fan', null] },
    { setting: ['target_door_state', 1], names: ['Blind'] },
  ]);
});

it('a scene closes, locks and arms in the words of the values, and sets to a value what has no such words', () => {
  const actions = [
    action('Blind', 'target_position', 40),
    action('Lock', 'lock_target_state', 1),
    action('Thermostat', 'heating_cooling_target', 1),
    action('Thermostat', 'target_temperature', 21),
    action('Radiator', 'heating_cooling_target', 0),
    action('Radiator', 'target_temperature', 17),
    action('Window', 'target_position', 100),
    action('Garage Door', 'target_door_state', 0),
    action('Fountain', 'hue', 120),
  ];
  expect(effects(actions)).toEqual([
    { setting: ['power_state', false], names: ['Radiator'] },
    { setting: ['target_position', 40], names: ['Blind'] },
    { setting: ['target_temperature', 21], names: ['Thermostat'] },
    { setting: ['lock_target_state', 1], names: ['Lock'] },
    { setting: ['target_door_state', 0], names: ['Window', 'Garage Door'] },
    { setting: undefined, names: ['Fountain'] },
  ]);
});

it('every value that can be set in words has words for scenes', () => {
  for (const table of [english.states, german.states]) {
    for (const [type, states] of Object.entries(table)) {
      for (const [value, state] of Object.entries(states)) {
        expect([type, value, 'does' in state]).toEqual([type, value, Boolean(state.set)]);
      }
    }
  }
});
