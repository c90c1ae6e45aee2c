import { expect, it } from 'vitest';
import { effectsOf } from '../../../src/web/dashboard/pages/scenes/scene-effects.ts';

const action = (accessoryName: string | null, propertyName: string, targetValue: unknown) => ({
  ...{ accessoryId: String(accessoryName), accessoryName, propertyName, targetValue },
});

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
  expect(effectsOf(actions)).toEqual({ on: ['Lamp', 'Strip'], off: ['Fan', null], sets: ['Blind'] });
});
