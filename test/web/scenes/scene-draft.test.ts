import { describe, expect, it } from 'vitest';
import { freeName } from '../../../src/web/dashboard/pages/scenes/duplicate-scene.ts';
import {
  draftOf,
  isChanged,
  keyOf,
  presentActions,
  recaptured,
  withAction,
  withoutAction,
  withValue,
} from '../../../src/web/dashboard/pages/scenes/scene-draft.ts';

const action = (propertyName: string, targetValue: unknown, serviceId: string | null = null) => ({
  ...{ accessoryId: 'a', accessoryName: 'Lamp', characteristicType: `public.${propertyName}`, propertyName },
  ...{ serviceId, targetValue },
});
const DRAFT = draftOf({
  icon: null,
  color: null,
  name: 'Evening',
  actionList: [action('power_state', true), action('power_state_2', false, 'a.9')],
});
const KEY = keyOf({ accessoryId: 'a', property: 'power_state' });

describe('a scene that is changed', () => {
  it('gives back what it got where nothing was changed', () => {
    expect(presentActions(DRAFT)).toEqual([
      { accessoryId: 'a', characteristicType: 'public.power_state', targetValue: true },
      { accessoryId: 'a', characteristicType: 'public.power_state_2', targetValue: false, serviceId: 'a.9' },
    ]);
    expect(isChanged(DRAFT, DRAFT)).toBe(false);
    expect(isChanged({ ...DRAFT, name: ' Evening ' }, DRAFT)).toBe(false);
  });

  it('takes another value for one action alone', () => {
    const changed = withValue(DRAFT, KEY, false);
    expect(presentActions(changed).map(({ targetValue }) => targetValue)).toEqual([false, false]);
    expect(isChanged(changed, DRAFT)).toBe(true);
  });

  it('adds what it did not do, and only sets what it did', () => {
    const added = withAction(DRAFT, { accessoryId: 'b', characteristicType: 'brightness' }, 40);
    expect(presentActions(added)[2]).toEqual({
      accessoryId: 'b',
      characteristicType: 'brightness',
      targetValue: 40,
    });
    expect(withAction(DRAFT, { accessoryId: 'a', characteristicType: 'power_state' }, false).actions).toHaveLength(2);
  });

  it('removes one action', () => {
    expect(withoutAction(DRAFT, KEY).actions.map(({ property }) => property)).toEqual(['power_state_2']);
  });

  it('takes over how things are now where that is known', () => {
    const now = recaptured(DRAFT, ({ characteristicType }) => (characteristicType === 'power_state' ? false : null));
    expect(now.actions.map(({ value }) => value)).toEqual([false, false]);
  });
});

it('A duplicate gets the first name that is free, ignoring case', () => {
  expect(freeName('Good Night', ['Good Night'])).toBe('Good Night 2');
  expect(freeName('Good Night', ['good night 2', 'Good Night 3', 'Evening'])).toBe('Good Night 4');
});
