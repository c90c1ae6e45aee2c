import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ListedScene } from '../../../src/app/scenes/scenes.ts';
import type { DescribedAccessory } from '../../../src/home/accessory-driver.ts';
import { lamp, plainSwitch } from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { alarm, attach, blind, garageDoor, lampShowing, lock, outlet, report, strip } from './scene-home.ts';

const code = (expected: string, message?: string) =>
  expect.objectContaining(message === undefined ? { code: expected } : { code: expected, message });

let test: TestHome;

beforeEach(() => {
  test = createTestHome();
});

afterEach(() => test.close());

const ON = { '25': true };
const listed = (): readonly ListedScene[] => test.scenes.list(systemCaller, test.home.id);
const names = (): readonly string[] => listed().map(({ name }) => name);

/** What a built-in scene sets, as `Lamp 25=false`. */
function actionsOf(name: string): readonly string[] {
  const { actions } = test.scenes.findByName(systemCaller, test.home.id, name);
  return actions.map(
    ({ accessoryId, type, value }) => `${test.state.accessory(accessoryId)?.name} ${type}=${String(value)}`,
  );
}

describe('Good Night', () => {
  it('switches lights off, locks locks and closes blinds, and touches nothing else', () => {
    attach(test, lampShowing('Lamp', ON));
    attach(test, lock('Door', 0, 0));
    attach(test, blind('Blind', 70));
    attach(test, outlet('Standing Lamp', true));
    attach(test, plainSwitch('Pump'));
    attach(test, garageDoor('Garage', 0, 0));
    attach(test, blind('Skylight', 70, '8B'));
    attach(test, alarm('Alarm', 3));
    expect(actionsOf('Good Night')).toEqual(['Blind 7C=0', 'Door 1E=1', 'Lamp 25=false']);
  });

  it('locks a lock again that did not reach its end', () => {
    attach(test, lock('Jammed', 2, 1));
    attach(test, lock('Locked', 1, 1));
    expect(actionsOf('Good Night')).toEqual(['Jammed 1E=1']);
  });
});

describe('Leave Home', () => {
  it('switches lights and the lamps behind outlets off and locks locks, and touches nothing else', () => {
    attach(test, lampShowing('Ceiling', ON));
    attach(test, lock('Door', 0, 0));
    attach(test, blind('Blind', 70));
    attach(test, outlet('Freezer', true));
    attach(test, outlet('Standing Lamp', true));
    attach(test, outlet('Bulb by category', true, 5));
    expect(actionsOf('Leave Home')).toEqual([
      'Bulb by category 25=false',
      'Ceiling 25=false',
      'Door 1E=1',
      'Standing Lamp 25=false',
    ]);
  });

  it('goes by the name of each outlet of a strip', () => {
    attach(test, strip('Strip', 'Computer', 'Desk light'));
    const { actions } = test.scenes.findByName(systemCaller, test.home.id, 'Leave Home');
    expect(actions.map(({ serviceIid }) => serviceIid)).toEqual(['18']);
  });

  it.each([
    ['Stehlampe', true],
    ['Nachtlicht', true],
    ['Bücherleuchten', true],
    ['Hall light', true],
    ['LIGHTS', true],
    ['Lámpara', true],
    ['Lumière', true],
    ['Light-Show', true],
    ['Lightning detector', false],
    ['Highlight', false],
    ['Lamprey tank', false],
    ['Freezer', false],
    ['Lichtenstein', false],
  ])('takes an outlet called %s for a lamp: %s', (name, isLamp) => {
    attach(test, outlet(name, true));
    expect(actionsOf('Leave Home')).toHaveLength(isLamp ? 1 : 0);
  });
});

describe('built-in scenes', () => {
  it('are listed only while they would do something', () => {
    expect(names()).toEqual([]);
    const lampId = attach(test, lampShowing('Lamp', ON));
    expect(names()).toEqual(['Good Night', 'Leave Home']);
    expect(test.scenes.namesIn(test.home.id)).toEqual(names());
    report(test, lampId, '9', false);
    expect(names()).toEqual([]);
    expect(test.scenes.namesIn(test.home.id)).toEqual([]);
    attach(test, blind('Blind', 1));
    expect(names()).toEqual(['Good Night']);
  });

  it('come after those that people made', () => {
    const accessoryId = attach(test, lampShowing('Lamp', ON));
    const actions = [{ accessoryId, characteristicType: 'on', targetValue: true }];
    test.scenes.create(systemCaller, { homeId: test.home.id, name: 'Zzz', actions });
    expect(names()).toEqual(['Zzz', 'Good Night', 'Leave Home']);
  });

  it('have the same id whenever they are asked, another in each home', () => {
    attach(test, lampShowing('Lamp', ON));
    const ids = listed().map(({ id }) => id);
    expect(listed().map(({ id }) => id)).toEqual(ids);
    const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
    attach(test, lampShowing('Cottage Lamp', ON), cottage.id);
    expect(new Set([...ids, ...test.scenes.list(systemCaller, cottage.id).map(({ id }) => id)]).size).toBe(4);
    expect(test.scenes.get(systemCaller, ids[0]?.toUpperCase() ?? '')).toMatchObject({ builtIn: 'good_night' });
  });

  it('can’t be changed or deleted', () => {
    const { id } = test.scenes.findByName(systemCaller, test.home.id, 'Good Night');
    expect(() => test.scenes.update(systemCaller, id, { name: 'Night' })).toThrow(
      code('conflict', 'Built-in scenes cannot be modified'),
    );
    expect(() => test.scenes.delete(systemCaller, id)).toThrow(code('conflict', 'Built-in scenes cannot be deleted'));
    const stranger = tokenCaller({ elsewhere: 'control' });
    expect(() => test.scenes.delete(stranger, id)).toThrow(code('scene_not_found', 'Scene not found'));
  });

  it('are executed like others, and with nothing to do at once', async () => {
    const { id } = test.scenes.findByName(systemCaller, test.home.id, 'good night');
    expect(await test.scenes.execute(systemCaller, id)).toMatchObject({ success: true, failed: 0, outcomes: [] });
    const lampId = attach(test, lampShowing('Lamp', ON));
    expect(await test.scenes.execute(systemCaller, id)).toMatchObject({ success: true, outcomes: [{ value: false }] });
    expect(test.state.characteristic({ accessoryId: lampId, iid: '9' })?.value).toBe(false);
    expect(names()).toEqual([]);
  });

  it('leave out what has vanished and what can’t be written', () => {
    const id = attach(test, lampShowing('Lamp', ON));
    const { address } = test.state.accessory(id) ?? {};
    if (!address) throw new Error('The lamp is there');
    const readOnly = lamp('Read only');
    attach(test, {
      ...readOnly,
      services: readOnly.services.map((service) => ({
        ...service,
        characteristics: service.characteristics.map((one) => ({ ...one, permissions: ['pr'] as const, value: true })),
      })),
    });
    test.driver.describe(address.source, []);
    expect(names()).toEqual([]);
  });

  it('never unlock, open, disarm or switch anything on, in any home', () => {
    const percent = fc.integer({ min: 0, max: 100 });
    const bit = fc.integer({ min: 0, max: 1 });
    const accessory: fc.Arbitrary<DescribedAccessory> = fc.oneof(
      fc.boolean().map((on) => lampShowing('Lamp', { '25': on })),
      fc.boolean().map((on) => outlet('Desk Lamp', on)),
      fc.tuple(fc.integer({ min: 0, max: 3 }), bit).map(([current, target]) => lock('Lock', current, target)),
      fc.tuple(percent, fc.constantFrom('8C', '81', '8B')).map(([position, type]) => blind('Blind', position, type)),
      fc.tuple(bit, bit).map(([current, target]) => garageDoor('Garage', current, target)),
      fc.integer({ min: 0, max: 3 }).map((target) => alarm('Alarm', target)),
    );
    const harmless = new Map<string, unknown>([
      ['25', false],
      ['1E', 1],
      ['7C', 0],
    ]);
    fc.assert(
      fc.property(fc.array(accessory, { maxLength: 6 }), (accessories) => {
        const home = test.homes.create(systemCaller, { name: `Home ${test.state.homes().length}` });
        for (const one of accessories) attach(test, one, home.id);
        const scenes = test.scenes.list(systemCaller, home.id);
        for (const { actions } of scenes) {
          expect(actions.length).toBeGreaterThan(0);
          for (const { type, value } of actions) expect(value).toBe(harmless.get(type));
        }
        expect(test.scenes.namesIn(home.id)).toEqual(scenes.map(({ name }) => name));
      }),
      { numRuns: 40 },
    );
  });
});
