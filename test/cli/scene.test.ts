import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../support/test-home.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

const LAMP = '10:00:00:00:00:01';

const scene = (...args: string[]) => daemon.hearthd('scene', ...args);
const createEvening = () => scene('create', 'Evening', '--action', 'Living Room/Lamp', 'on=true', 'brightness=40');
const shown = (name: string, iid: string) =>
  daemon.home.state.characteristic({ accessoryId: daemon.home.named(name).id, iid })?.value;

describe('scene create', () => {
  it('takes accessories by name, each followed by what to set on it', async () => {
    const answer = await scene(
      'create',
      'Movie Night',
      '--action',
      'Living Room/Lamp',
      'on=true',
      'brightness=40',
      '--action',
      'Thermostat',
      'hvac_mode=cool',
      'Kettle',
      'on=false',
    );
    expect(answer).toEqual({
      code: 0,
      err: '',
      out: [
        'Created the scene Movie Night (<id>).',
        'ACCESSORY   PROPERTY                VALUE',
        'Lamp        power_state             on',
        'Lamp        brightness              40',
        'Thermostat  heating_cooling_target  cool',
        'Kettle      power_state             off',
        '',
      ].join('\n'),
    });
  });

  it('takes an icon and a color, which look changes and removes', async () => {
    const look = () => {
      const { icon, color } = daemon.home.scenes.findByName(systemCaller, daemon.home.home.id, 'Tea');
      return [icon, color];
    };
    const tea = ['create', 'Tea', '--action', 'Kettle', 'on=true'];
    expect(await scene(...tea, '--icon', 'no-icon-at-all')).toMatchObject({ code: 2 });
    expect(await scene(...tea, '--icon', 'moon', '--color', 'teal')).toMatchObject({ code: 0 });
    expect(look()).toEqual(['moon', 'teal']);
    expect((await scene('look', 'Tea', '--icon', 'star', '--no-color')).out).toBe('Changed the scene Tea.\n');
    expect(look()).toEqual(['star', null]);
    expect(await scene('look', 'Tea', '--no-icon', '--color', 'red')).toMatchObject({ code: 0 });
    expect(look()).toEqual([null, 'red']);
    expect((await scene('look', 'Tea')).err).toContain('Pass --icon, --color or both');
    expect(await scene('capture', 'Evening', 'Kettle', '--icon', 'moon', '--color', 'blue')).toMatchObject({ code: 0 });
    expect(daemon.home.scenes.findByName(systemCaller, daemon.home.home.id, 'Evening')).toMatchObject({
      icon: 'moon',
      color: 'blue',
    });
  });

  it('takes a file of actions in the API’s form', async () => {
    const file = `${daemon.dataDir}/actions.json`;
    const { id } = daemon.home.named('Kettle');
    writeFileSync(file, JSON.stringify([{ accessoryId: id, characteristicType: 'on', targetValue: true }]));
    expect(await scene('create', 'Tea', '--file', file)).toMatchObject({ code: 0 });
    expect(daemon.home.scenes.findByName(systemCaller, daemon.home.home.id, 'Tea').actions).toHaveLength(1);
  });

  it.each([
    [['Tea'], 2, /either --action or --file/],
    [['Tea', '--action', 'Kettle', 'on=true', '--file', 'x'], 2, /either --action or --file/],
    [['Tea', '--action', 'Kettle'], 2, /Pass values for "Kettle"/],
    [['Tea', '--action', 'Ketle', 'on=true'], 4, /Did you mean "Kettle"/],
    [['Tea', '--action', 'Kettle', 'on=true', 'on=false'], 2, /on appears twice/],
    [['Tea', '--action', 'Kettle', 'speed=5'], 2, /actions\[0\]\.characteristicType: Unknown property 'speed'/],
    [['Tea', '--action', 'Lamp', 'brightness=500'], 2, /actions\[0\]\.targetValue/],
    [['Tea!', '--action', 'Kettle', 'on=true'], 2, /"Tea" would do/],
    [['Tea', '--action', 'Motion', 'motion=true'], 5, /not writable/],
    [['Tea', '--file', '/nowhere/x.json'], 2, /Cannot read .* as JSON/],
  ])('%j is refused with exit code %i', async (args, code, sentence) => {
    const answer = await scene('create', ...args);
    expect([answer.code, answer.err]).toEqual([code, expect.stringMatching(sentence)]);
    expect(daemon.home.scenes.list(systemCaller)).toEqual([]);
  });

  it('refuses a file that holds no list', async () => {
    const file = `${daemon.dataDir}/actions.json`;
    writeFileSync(file, '{}');
    expect(await scene('create', 'Tea', '--file', file)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/must contain a JSON array/),
    });
  });

  it('makes it in the home of the accessories, where there are several', async () => {
    daemon.home.homes.create(systemCaller, { name: 'Cottage' });
    expect(await createEvening()).toMatchObject({ code: 0 });
    const [made] = daemon.home.scenes.list(systemCaller);
    expect(made?.homeId).toBe(daemon.home.home.id);
  });
});

describe('scene list and show', () => {
  it('list what there is, built-in scenes too', async () => {
    await createEvening();
    daemon.home.driver.event(LAMP, '1', '9', true);
    expect((await scene('list')).out).toBe(
      [
        'HOME     NAME        ACTIONS            ID',
        'My Home  Evening     2                  <id>',
        'My Home  Good Night  1        built in  <id>',
        'My Home  Leave Home  1        built in  <id>',
        '',
      ].join('\n'),
    );
    const json = JSON.parse((await scene('list', '--home', 'my home', '--json')).out);
    expect(json.map(({ name }: { name: string }) => name)).toEqual(['Evening', 'Good Night', 'Leave Home']);
    expect((await scene('show', 'my home/evening')).out).toBe(
      ['ACCESSORY  PROPERTY     VALUE', 'Lamp       power_state  on', 'Lamp       brightness   40', ''].join('\n'),
    );
  });

  it('report that there is none', async () => {
    expect(await scene('list')).toMatchObject({ code: 0, out: '', err: 'No scenes.\n' });
    expect(await scene('show', 'Evening')).toMatchObject({
      code: 4,
      err: 'No scene "Evening". hearthd scene list lists them.\n',
    });
  });
});

describe('scene run', () => {
  it('waits for the devices', async () => {
    await createEvening();
    expect(await scene('run', 'EVENING')).toEqual({ code: 0, err: '', out: 'Ran the scene Evening.\n' });
    expect(shown('Lamp', '10')).toBe(40);
  });

  it('reports what failed, and exits with 6 where devices could not be reached', async () => {
    await createEvening();
    daemon.home.driver.setReachable(LAMP, false);
    expect(await scene('run', 'Evening')).toEqual({
      code: 6,
      out: '',
      err: [
        '2 of 2 actions failed:',
        '  Lamp.power_state: Accessory unreachable',
        '  Lamp.brightness: Accessory unreachable',
        '',
      ].join('\n'),
    });
    daemon.home.driver.setReachable(LAMP, true);
    daemon.home.driver.scriptWrites(({ iid }) => (iid === '10' ? 'device_error' : { value: true }));
    expect(await scene('run', 'Evening')).toMatchObject({ code: 1, err: expect.stringMatching(/^1 of 2 actions/) });
  });

  it('succeeds for a built-in scene with nothing left to do', async () => {
    expect((await scene('list')).out).toBe('');
    for (const text of ['Good Night', 'my home/leave home']) {
      expect(await scene('run', text)).toMatchObject({ code: 0, out: expect.stringContaining('Ran the scene') });
    }
    expect((await scene('show', 'Good Night')).err).toBe('The scene has no actions.\n');
    expect(daemon.home.driver.writes).toEqual([]);
  });

  it('reports that the home is paused', async () => {
    await createEvening();
    await daemon.hearthd('home', 'pause', 'My Home');
    expect(await scene('run', 'Evening')).toMatchObject({ code: 6, err: 'Relay not connected\n' });
  });
});

describe('scene capture', () => {
  it('makes a scene of what accessories do now', async () => {
    daemon.home.driver.event(LAMP, '1', '9', true);
    const { code, out } = await scene('capture', 'Now', 'Lamp', 'Thermostat');
    expect(code).toBe(0);
    expect(out).toContain('Thermostat  target_temperature      21');
    expect((await scene('capture', 'Everything', '--all')).out).toContain('Kettle');
  });

  it('wants to know of what', async () => {
    expect((await scene('capture', 'Now')).code).toBe(2);
    expect((await scene('capture', 'Now', 'Lamp', '--all')).code).toBe(2);
    expect((await scene('capture', 'Now', 'Motion')).err).toMatch(/None of these accessories/);
  });
});

describe('scene rename and delete', () => {
  it('do what they declare', async () => {
    await createEvening();
    expect((await scene('rename', 'Evening', 'Dusk')).out).toBe('Renamed the scene Evening to Dusk.\n');
    expect((await scene('delete', 'Dusk')).out).toBe('Deleted the scene Dusk.\n');
    expect(daemon.home.scenes.list(systemCaller)).toEqual([]);
  });

  it('leave built-in scenes alone', async () => {
    daemon.home.driver.event(LAMP, '1', '9', true);
    expect(await scene('delete', 'Good Night')).toMatchObject({ code: 5, err: 'Built-in scenes cannot be deleted\n' });
    expect(await scene('rename', 'Good Night', 'Night')).toMatchObject({ code: 5 });
  });
});
