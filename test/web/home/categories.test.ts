/** Which accessories belong to a category of the home, and what its chip and its page show of them. */
import { describe, expect, it } from 'vitest';
import homeTexts from '../../../src/texts/en/home.json';
import {
  CATEGORIES,
  type Category,
  categoryFacts,
  isInCategory,
  isSameFacts,
} from '../../../src/web/dashboard/pages/home/categories.ts';
import { placeAt } from '../../../src/web/dashboard/shell/home-place.tsx';
import { accessoryOf, lamp } from './home-parts.ts';

const kindsOf = (category: Category, ...all: ReturnType<typeof accessoryOf>[]) =>
  categoryFacts(category, all).map((fact) => ('count' in fact ? [fact.kind, fact.count] : [fact.kind]));
const lock = (name: string, value: number | null) =>
  accessoryOf(name, [{ type: 'lock', values: { lock_current_state: value } }]);
const door = (name: string, value: number | null) =>
  accessoryOf(name, [{ type: 'contact_sensor', values: { contact_state: value } }]);
const leak = (name: string, value: number | null) =>
  accessoryOf(name, [{ type: 'leak_sensor', values: { leak_detected: value } }]);

describe('the categories of an accessory', () => {
  it.each([
    ['thermostat', ['climate']],
    ['window_covering', ['climate']],
    ['lightbulb', ['lights']],
    ['lock', ['security']],
    ['smoke_sensor', ['security']],
    ['television', ['media']],
    ['valve', ['water']],
    ['outlet', []],
  ])('%s: %j', (type, expected) => {
    const accessory = accessoryOf('It', [{ type, values: {} }], { type: 'other' });
    expect(CATEGORIES.filter((category) => isInCategory(category, accessory))).toEqual(expected);
  });

  it('are several for one with several services', () => {
    const sensor = accessoryOf('It', [
      { type: 'motion_sensor', values: {} },
      { type: 'temperature_sensor', values: {} },
    ]);
    expect(CATEGORIES.filter((category) => isInCategory(category, sensor))).toEqual(['climate', 'security']);
  });

  it('do not make a doorbell with a speaker a speaker', () => {
    const parts = [{ type: 'speaker', values: { mute: false } }];
    expect(isInCategory('media', accessoryOf('Doorbell', parts, { type: 'doorbell' }))).toBe(false);
    expect(isInCategory('media', accessoryOf('Speaker', parts, { type: 'speaker' }))).toBe(true);
  });
});

describe('what is known of a category', () => {
  it('counts the lights that are on, and leaves out what does not answer', () => {
    const all = [lamp('A', true), lamp('B', false), lamp('C', true, { isReachable: false })];
    expect(kindsOf('lights', ...all)).toEqual([['on', 1]]);
    expect(kindsOf('lights', lamp('A', false), lamp('B', false))).toEqual([['off', 2]]);
    expect(kindsOf('lights', lamp('C', true, { isReachable: false }))).toEqual([]);
  });

  it('gives the range of what is measured, and what heats', () => {
    const sensor = (name: string, value: number) =>
      accessoryOf(name, [{ type: 'temperature_sensor', values: { current_temperature: value } }]);
    const thermostat = accessoryOf('T', [
      {
        type: 'thermostat',
        values: { current_temperature: 23.04, relative_humidity: 45.4, heating_cooling_current: 1 },
      },
    ]);
    expect(categoryFacts('climate', [sensor('A', 21.52), thermostat])).toEqual([
      { kind: 'temperature', low: 21.5, high: 23 },
      { kind: 'humidity', low: 45, high: 45 },
      { kind: 'heating', count: 1 },
    ]);
    expect(
      isSameFacts(categoryFacts('climate', [sensor('A', 21.52)]), categoryFacts('climate', [sensor('A', 21.5)])),
    ).toBe(true);
  });

  it('has what is unlocked or open first, and calls all locked only if each is', () => {
    expect(kindsOf('security', lock('A', 1), lock('B', 0), door('C', 1))).toEqual([
      ['unlocked', 1],
      ['open', 1],
    ]);
    expect(kindsOf('security', lock('A', 1), lock('B', 1), door('C', 0))).toEqual([
      ['locked', 2],
      ['closed', 1],
    ]);
    expect(kindsOf('security', lock('A', 1), lock('B', null), door('C', null))).toEqual([]);
  });

  it('shows water before what runs, and dry only if each sensor reports it', () => {
    const valve = accessoryOf('V', [{ type: 'valve', values: { active: 1, in_use: 1 } }]);
    expect(kindsOf('water', leak('A', 1), leak('B', 0), valve)).toEqual([
      ['leak', 1],
      ['running', 1],
    ]);
    expect(kindsOf('water', leak('A', 0))).toEqual([['dry', 1]]);
    expect(kindsOf('water', leak('A', 0), leak('B', null))).toEqual([]);
  });

  it('counts the televisions that are on', () => {
    const television = (name: string, active: number) =>
      accessoryOf(name, [{ type: 'television', values: { active } }], { type: 'other' });
    expect(kindsOf('media', television('A', 1), television('B', 0))).toEqual([['on', 1]]);
    expect(kindsOf('media', television('B', 0))).toEqual([['off', 1]]);
  });

  it('has words for each', () => {
    expect(Object.keys(homeTexts.categories)).toEqual([...CATEGORIES]);
  });
});

it('keeps the category behind the sheet of an accessory', () => {
  expect(placeAt('/categories/lights')).toEqual({ category: 'lights' });
  expect(placeAt('/categories/lights/more')).toBeUndefined();
});
