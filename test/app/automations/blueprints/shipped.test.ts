import { afterEach, describe, expect, it } from 'vitest';
import { readBlueprint } from '../../../../src/app/automations/blueprints/read-blueprint.ts';
import { listShipped } from '../../../../src/app/automations/blueprints/shipped/index.ts';
import { BLUEPRINT_LANGUAGES } from '../../../../src/contract/blueprints.ts';
import { blueprintTexts } from '../../../../src/relay/blueprint-texts.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { type BlueprintHome, createBlueprintHome, MINUTE } from './blueprint-home.ts';

let home: BlueprintHome;
const open = (options: Parameters<typeof createBlueprintHome>[0] = {}): BlueprintHome => {
  home = createBlueprintHome(options);
  return home;
};
afterEach(async () => {
  // The first tests open none.
  if (home?.database.open) await home.stop();
});

/** Iids of a lamp and of a thermostat. */
const BRIGHTNESS = '10';
const TARGET = '10';
const MODE = '12';

describe('the blueprints of the relay', () => {
  it('are ten documents that can be exported and read again, in every language', () => {
    for (const language of BLUEPRINT_LANGUAGES) {
      const shipped = listShipped(blueprintTexts(language));
      expect(shipped.map(({ id }) => id)).toHaveLength(10);
      for (const { blueprint } of shipped) {
        expect(readBlueprint(JSON.parse(JSON.stringify(blueprint)))).toEqual(blueprint);
      }
    }
  });

  it('differ in their texts alone, and have all of these twice', () => {
    const [english, german] = BLUEPRINT_LANGUAGES.map((language) => listShipped(blueprintTexts(language)));
    const { sameTexts } = compareTexts(english, german);
    expect(sameTexts).toEqual([]);
    const shape = (list: typeof english) =>
      list?.map(({ id, blueprint: { inputs, automation } }) => ({
        id,
        automation,
        inputs: inputs.map(({ name: _n, description: _d, ...input }) => ({
          ...input,
          ...(input.kind === 'text' && { default: '' }),
        })),
      }));
    expect(shape(german)).toEqual(shape(english));
  });

  it('have an icon each, which their documents do not have; one of a file has none', () => {
    const { blueprints, home: inventory } = open();
    const offered = blueprints.list(systemCaller, inventory.id);
    expect(new Set(offered.map(({ icon }) => icon)).size).toBe(offered.length);
    const [first] = offered;
    expect(first).toMatchObject({ id: 'motion_light', icon: 'lightbulb' });
    expect(first?.blueprint).not.toHaveProperty('icon');
    expect(blueprints.get(systemCaller, inventory.id, 'motion_light')).toEqual(first);
    const file = JSON.stringify(first?.blueprint);
    expect(blueprints.read(systemCaller, { homeId: inventory.id, file })).toEqual({ ...first, id: null, icon: null });
  });

  it('list what a home lacks for them', () => {
    const { blueprints, home: inventory } = open();
    const lacking = blueprints.list(systemCaller, inventory.id).filter(({ missing }) => missing.length > 0);
    expect(lacking).toEqual([]);
    const empty = home.homes.create(systemCaller, { name: 'Empty' });
    const missing = blueprints.list(systemCaller, empty.id).map(({ id, missing: inputs }) => [id, inputs]);
    expect(Object.fromEntries(missing)).toEqual({
      motion_light: ['sensors', 'lights'],
      night_light: ['sensors', 'lights'],
      away_mode: [],
      water_leak: ['sensors'],
      window_heating: ['windows', 'heating'],
      wake_up_light: ['lights'],
      presence_lights: ['lights'],
      laundry_done: ['plug'],
      door_left_open: ['doors'],
      low_battery: ['accessories'],
    });
  });
});

/** Texts for people that are the same in both languages, but for units and words that are the same in both. */
function compareTexts(english: ReturnType<typeof listShipped> = [], german: typeof english = []) {
  const textsOf = (list: typeof english) =>
    list.flatMap(({ blueprint: { name, description, inputs } }) => [
      name,
      description,
      ...inputs.flatMap((input) => [input.name, input.description ?? '', input.kind === 'text' ? input.default : '']),
    ]);
  const others = textsOf(german);
  return { sameTexts: textsOf(english).filter((text, index) => text !== '' && text === others[index]) };
}

describe('the motion light', () => {
  const inputs = () => ({
    sensors: home.ids('Motion', 'Presence'),
    lights: home.ids('Lamp', 'Fairy Lights'),
    brightness: 60,
  });
  const lights = () => [home.valueOf('Lamp'), home.valueOf('Fairy Lights')];

  it('turns lights on at a movement in the dark, and off when nothing has moved for five minutes', async () => {
    open();
    await home.apply('motion_light', inputs());
    await home.report('Motion', true);
    expect(lights()).toEqual([true, true]);
    expect(home.valueOf('Lamp', BRIGHTNESS)).toBe(60);
    await home.advance(20 * MINUTE);
    expect(lights()).toEqual([true, true]);
    await home.report('Motion', false);
    await home.advance(4 * MINUTE);
    expect(lights()).toEqual([true, true]);
    await home.advance(MINUTE);
    expect(lights()).toEqual([false, false]);
  });

  it('begins the minutes again at each movement, of any sensor', async () => {
    open();
    await home.apply('motion_light', inputs());
    await home.report('Motion', true);
    await home.report('Motion', false);
    await home.advance(4 * MINUTE);
    await home.report('Presence', 1);
    await home.report('Motion', true);
    await home.report('Motion', false);
    await home.advance(10 * MINUTE);
    expect(lights()).toEqual([true, true]);
    await home.report('Presence', 0);
    await home.advance(5 * MINUTE);
    expect(lights()).toEqual([false, false]);
  });

  it('does nothing in daylight, unless it may', async () => {
    open({ at: '2026-01-15T12:00:00Z' });
    const { id } = await home.apply('motion_light', inputs());
    await home.report('Motion', true);
    expect(lights()).toEqual([false, false]);
    home.flows.delete(systemCaller, id);
    await home.report('Motion', false);
    await home.apply('motion_light', { ...inputs(), only_dark: false });
    await home.report('Motion', true);
    expect(lights()).toEqual([true, true]);
  });

  it('asks a light sensor instead of the sun', async () => {
    open({ at: '2026-01-15T12:00:00Z' });
    await home.apply('motion_light', { ...inputs(), light_sensor: home.idOf('Lux'), lux: 100 });
    await home.report('Lux', 300);
    await home.report('Motion', true);
    expect(lights()).toEqual([false, false]);
    await home.report('Motion', false);
    await home.report('Lux', 40);
    await home.report('Motion', true);
    expect(lights()).toEqual([true, true]);
  });

  it('leaves the brightness as it was where none is given', async () => {
    open();
    const { brightness: _, ...others } = inputs();
    await home.apply('motion_light', others);
    await home.report('Motion', true);
    expect(home.valueOf('Lamp', BRIGHTNESS)).toBe(50);
  });
});

describe('the night light', () => {
  const inputs = () => ({ sensors: home.ids('Motion', 'Presence'), lights: home.ids('Lamp', 'Stair Lamp') });
  const lights = () => [home.valueOf('Lamp'), home.valueOf('Stair Lamp')];

  it('turns lights on dimly at night, and off two minutes after the last movement', async () => {
    open({ at: '2026-01-15T23:00:00Z' });
    await home.apply('night_light', inputs());
    await home.report('Motion', true);
    expect(lights()).toEqual([true, true]);
    expect(home.valueOf('Stair Lamp', BRIGHTNESS)).toBe(10);
    await home.report('Motion', false);
    await home.advance(MINUTE);
    await home.report('Presence', 1);
    await home.advance(30 * MINUTE);
    await home.report('Presence', 0);
    await home.advance(1.9 * MINUTE);
    expect(lights()).toEqual([true, true]);
    await home.advance(0.2 * MINUTE);
    expect(lights()).toEqual([false, false]);
  });

  it('turns off what it turned on before the night ended', async () => {
    open({ at: '2026-01-16T04:59:00Z' });
    await home.apply('night_light', inputs());
    await home.report('Motion', true);
    await home.advance(10 * MINUTE);
    await home.report('Motion', false);
    await home.advance(3 * MINUTE);
    expect(lights()).toEqual([false, false]);
    await home.report('Motion', true);
    expect(lights()).toEqual([false, false]);
  });

  it('leaves a light that is on as it is', async () => {
    open({ at: '2026-01-15T23:00:00Z' });
    await home.apply('night_light', inputs());
    await home.report('Lamp', true);
    await home.report('Motion', true);
    await home.report('Motion', false);
    await home.advance(10 * MINUTE);
    expect(lights()).toEqual([true, false]);
    expect(home.valueOf('Lamp', BRIGHTNESS)).toBe(50);
  });

  it('does nothing in the evening', async () => {
    open();
    await home.apply('night_light', inputs());
    await home.report('Motion', true);
    expect(lights()).toEqual([false, false]);
  });
});

describe('the away mode', () => {
  it('saves light and heat while the home is empty', async () => {
    open();
    const [anna, ben] = [home.person('Anna'), home.person('Ben')];
    await home.apply('away_mode', { away_temperature: 16 });
    await home.move(anna, true);
    await home.move(ben, true);
    await home.report('Lamp', true);
    await home.report('Fairy Lights', true);
    await home.move(anna, false);
    expect(home.valueOf('Lamp')).toBe(true);
    await home.move(ben, false);
    expect([home.valueOf('Lamp'), home.valueOf('Fairy Lights')]).toEqual([false, false]);
    expect([home.valueOf('Heating', TARGET), home.valueOf('Bath Heating', TARGET)]).toEqual([16, 16]);
    await home.move(anna, true);
    expect([home.valueOf('Heating', TARGET), home.valueOf('Bath Heating', TARGET)]).toEqual([21, 21]);
    expect(home.valueOf('Lamp')).toBe(false);
  });

  it('counts chosen people and acts on chosen accessories', async () => {
    open();
    const [anna, ben] = [home.person('Anna'), home.person('Ben')];
    await home.apply('away_mode', { people: [anna], lights: home.ids('Lamp'), heating: home.ids('Heating') });
    for (const person of [anna, ben]) await home.move(person, true);
    await home.report('Lamp', true);
    await home.report('Stair Lamp', true);
    await home.move(anna, false);
    expect([home.valueOf('Lamp'), home.valueOf('Stair Lamp')]).toEqual([false, true]);
    expect([home.valueOf('Heating', TARGET), home.valueOf('Bath Heating', TARGET)]).toEqual([17, 21]);
  });
});

describe('the water leak', () => {
  it('closes valves and names the sensor that found water', async () => {
    open();
    await home.apply('water_leak', { valves: home.ids('Water', 'Washer') });
    await home.report('Sink Sensor', 1);
    expect([home.valueOf('Water'), home.valueOf('Washer')]).toEqual([0, false]);
    expect(home.sent).toEqual([{ title: 'Water!', message: 'Sink Sensor' }]);
  });

  it('sends its message also if the valve does not answer, and without a valve', async () => {
    open();
    await home.apply('water_leak', { valves: home.ids('Water'), message: 'Help' });
    home.setReachable('Water', false);
    await home.report('Sink Sensor', 1);
    expect(home.sent).toEqual([{ title: 'Help', message: 'Sink Sensor' }]);
    await home.report('Sink Sensor', 0);
    expect(home.sent).toHaveLength(1);
    await home.apply('water_leak', {});
    await home.report('Sink Sensor', 1);
    expect(home.sent.map(({ title }) => title)).toEqual(['Help', 'Water!', 'Help']);
  });
});

describe('heating off while a window is open', () => {
  const inputs = () => ({ windows: home.ids('Window', 'Roof Window'), heating: home.ids('Heating', 'Bath Heating') });
  const modes = () => [home.valueOf('Heating', MODE), home.valueOf('Bath Heating', MODE)];

  it('turns heating off, and back to the mode of each when all windows are closed', async () => {
    open();
    await home.apply('window_heating', inputs());
    await home.report('Bath Heating', 3, MODE);
    await home.report('Window', 1);
    await home.advance(MINUTE);
    expect(modes()).toEqual([1, 3]);
    await home.advance(MINUTE);
    expect(modes()).toEqual([0, 0]);
    await home.report('Roof Window', 1);
    await home.advance(5 * MINUTE);
    await home.report('Window', 0);
    expect(modes()).toEqual([0, 0]);
    await home.report('Roof Window', 0);
    expect(modes()).toEqual([1, 3]);
  });

  it('ignores a window that is open for a moment', async () => {
    open();
    await home.apply('window_heating', inputs());
    await home.report('Window', 1);
    await home.advance(MINUTE);
    await home.report('Window', 0);
    await home.advance(10 * MINUTE);
    expect(modes()).toEqual([1, 1]);
  });

  it('leaves heating that people set meanwhile as they set it', async () => {
    open();
    await home.apply('window_heating', inputs());
    await home.report('Window', 1);
    await home.advance(2 * MINUTE);
    await home.report('Heating', 2, MODE);
    await home.report('Window', 0);
    expect(modes()).toEqual([2, 1]);
  });

  it('remembers the modes across a restart', async () => {
    using directory = createTempDirectory();
    const path = directory.file('relay.db');
    const clock = new TestClock('2026-01-15T20:00:00Z');
    open({ path, clock });
    await home.apply('window_heating', inputs());
    await home.report('Bath Heating', 3, MODE);
    await home.report('Window', 1);
    await home.advance(2 * MINUTE);
    expect(modes()).toEqual([0, 0]);
    await home.stop();
    open({ path, clock });
    await home.report('Window', 1);
    await home.report('Roof Window', 0);
    for (const name of ['Heating', 'Bath Heating']) await home.report(name, 0, MODE);
    await home.advance(MINUTE);
    await home.report('Window', 0);
    await home.advance(MINUTE);
    expect(modes()).toEqual([1, 3]);
    await home.stop();
  });
});

describe('the wake-up light', () => {
  const inputs = () => ({ lights: home.ids('Lamp', 'Stair Lamp'), at: '06:30', over: { minutes: 20 } });

  it('rises from dim to bright on its days', async () => {
    open({ at: '2026-01-16T05:29:00Z' });
    await home.apply('wake_up_light', inputs());
    await home.advance(MINUTE);
    expect([home.valueOf('Lamp'), home.valueOf('Lamp', BRIGHTNESS)]).toEqual([true, 1]);
    await home.advance(10 * MINUTE);
    expect(home.valueOf('Lamp', BRIGHTNESS)).toBe(50);
    await home.advance(10 * MINUTE);
    expect(home.valueOf('Lamp', BRIGHTNESS)).toBe(100);
  });

  it('leaves a light off that was turned off', async () => {
    open({ at: '2026-01-16T05:29:00Z' });
    await home.apply('wake_up_light', { ...inputs(), brightness: 40 });
    await home.advance(5 * MINUTE);
    await home.report('Lamp', false);
    await home.advance(30 * MINUTE);
    expect([home.valueOf('Lamp'), home.valueOf('Stair Lamp')]).toEqual([false, true]);
    expect(home.valueOf('Stair Lamp', BRIGHTNESS)).toBe(40);
  });

  it('lets people sleep on other days', async () => {
    open({ at: '2026-01-17T05:29:00Z' });
    await home.apply('wake_up_light', inputs());
    await home.advance(60 * MINUTE);
    expect(home.valueOf('Lamp')).toBe(false);
  });
});

describe('the presence lights', () => {
  it('go on for each who comes home in the dark, and off when the last leaves', async () => {
    open();
    const [anna, ben] = [home.person('Anna'), home.person('Ben')];
    await home.apply('presence_lights', { lights: home.ids('Lamp'), brightness: 30 });
    await home.move(anna, true);
    expect([home.valueOf('Lamp'), home.valueOf('Lamp', BRIGHTNESS)]).toEqual([true, 30]);
    await home.report('Lamp', false);
    await home.move(ben, true);
    expect(home.valueOf('Lamp')).toBe(true);
    await home.move(anna, false);
    expect(home.valueOf('Lamp')).toBe(true);
    await home.move(ben, false);
    expect(home.valueOf('Lamp')).toBe(false);
  });

  it('stay off in daylight, unless they may go on', async () => {
    open({ at: '2026-01-15T12:00:00Z' });
    const anna = home.person('Anna');
    const { id } = await home.apply('presence_lights', { lights: home.ids('Lamp') });
    await home.move(anna, true);
    expect(home.valueOf('Lamp')).toBe(false);
    home.flows.delete(systemCaller, id);
    await home.apply('presence_lights', { lights: home.ids('Lamp'), only_dark: false, people: [anna] });
    await home.move(anna, false);
    await home.move(anna, true);
    expect(home.valueOf('Lamp')).toBe(true);
  });
});

describe('the laundry', () => {
  const report = (watts: number) => home.report('Washer', ...home.watts(watts));

  it('is done when the machine draws little for three minutes', async () => {
    open();
    await home.apply('laundry_done', { plug: home.idOf('Washer') });
    await report(900);
    await home.advance(2 * MINUTE);
    await report(2);
    await home.advance(2 * MINUTE);
    await report(400);
    await home.advance(30 * MINUTE);
    expect(home.sent).toEqual([]);
    await report(2);
    await home.advance(3 * MINUTE);
    expect(home.sent).toEqual([{ title: null, message: 'The laundry is done.' }]);
    await home.advance(60 * MINUTE);
    expect(home.sent).toHaveLength(1);
    await report(900);
    await home.advance(2 * MINUTE);
    await report(0);
    await home.advance(4 * MINUTE);
    expect(home.sent).toHaveLength(2);
  });

  it('is not begun by a short peak', async () => {
    open();
    await home.apply('laundry_done', { plug: home.idOf('Washer') });
    await report(900);
    await home.advance(MINUTE / 2);
    await report(1);
    await home.advance(30 * MINUTE);
    expect(home.sent).toEqual([]);
  });
});

describe('the door that is left open', () => {
  const inputs = () => ({ doors: home.ids('Window', 'Roof Window'), after: { minutes: 10 }, times: 2 });

  it('causes a message, another after the same time, and no more', async () => {
    open();
    await home.apply('door_left_open', inputs());
    await home.report('Window', 1);
    await home.advance(9 * MINUTE);
    expect(home.sent).toEqual([]);
    await home.advance(MINUTE);
    expect(home.sent).toEqual([{ title: 'Window', message: 'This is still open.' }]);
    await home.advance(10 * MINUTE);
    expect(home.sent).toHaveLength(2);
    await home.advance(60 * MINUTE);
    expect(home.sent).toHaveLength(2);
  });

  it('is forgotten once it is closed; each door for itself', async () => {
    open();
    await home.apply('door_left_open', inputs());
    await home.report('Window', 1);
    await home.advance(5 * MINUTE);
    await home.report('Roof Window', 1);
    await home.advance(5 * MINUTE);
    await home.report('Window', 0);
    await home.advance(5 * MINUTE);
    await home.report('Roof Window', 0);
    await home.advance(60 * MINUTE);
    expect(home.sent.map(({ title }) => title)).toEqual(['Window', 'Roof Window']);
  });
});

describe('the weekly look at batteries', () => {
  const [LEVEL, STATUS] = ['12', '13'];

  it('names each accessory whose battery is low, by its level or by its own word', async () => {
    open({ at: '2026-01-18T08:59:00Z' });
    await home.apply('low_battery', {});
    await home.report('Motion', 1, STATUS);
    await home.advance(MINUTE);
    expect(home.sent).toEqual([{ title: 'Batteries are low', message: 'Motion' }]);
    await home.report('Motion', 5, LEVEL);
    await home.advance(7 * 24 * 60 * MINUTE);
    expect(home.sent.map(({ message }) => message)).toEqual(['Motion', 'Motion']);
  });

  it('sends nothing while every battery is fine, nor on other days', async () => {
    open({ at: '2026-01-18T08:59:00Z' });
    await home.apply('low_battery', {});
    await home.advance(MINUTE);
    await home.report('Motion', 1, STATUS);
    await home.advance(24 * 60 * MINUTE);
    expect(home.sent).toEqual([]);
  });
});
