/**
 * What the command line shows people and takes from them: times by the home's clock, states in words, names that were
 * meant.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { HttpServer } from '../../src/api/server.ts';
import { Cli } from '../../src/cli/action.ts';
import { createProgram } from '../../src/cli/cli.ts';
import { settableInWords, stateInWords, toReading, toSetting } from '../../src/cli/state-words.ts';
import { suggestionsFor } from '../../src/cli/suggestions.ts';
import { whenText } from '../../src/cli/when.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createTestApi, TEST_GUARDS } from '../support/rest-client.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { createTestHome, systemCaller } from '../support/test-home.ts';
import { createTerminal, type RunningDaemon, run, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon | undefined;

afterEach(async () => {
  await daemon?.stop();
  daemon = undefined;
});

describe('a time for people', () => {
  it('is by the clock of the home that it belongs to, whose zone is named where the person’s clock differs', () => {
    const at = '2026-07-15T12:00:05.123Z';
    expect(whenText(at, null, 'Europe/Berlin')).toBe('2026-07-15 14:00:05');
    expect(whenText(at, 'Europe/Berlin', 'Europe/Berlin')).toBe('2026-07-15 14:00:05');
    expect(whenText(at, 'Europe/Paris', 'Europe/Berlin')).toBe('2026-07-15 14:00:05');
    expect(whenText(at, 'America/New_York', 'Europe/Berlin')).toBe('2026-07-15 08:00:05 (America/New_York)');
    expect(whenText('2026-01-15T23:30:00Z', 'Asia/Tokyo', 'UTC')).toBe('2026-01-16 08:30:00 (Asia/Tokyo)');
  });

  it('is ISO 8601 in UTC with --json, in each command that shows times', async () => {
    daemon = await startDaemon();
    const { home, hearthd, hearthdOn } = daemon;
    for (const part of Object.values(home.automation.startables)) await part.start();
    home.homes.update(systemCaller, home.home.id, { timeZone: 'Asia/Tokyo' });
    home.automations.create(systemCaller, {
      homeId: home.home.id,
      name: 'Dawn',
      trigger: { type: 'timer', hour: 7, minute: 0, recurrenceType: 'daily' },
      actions: [{ accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true }],
    });
    const words = ['automation', 'next', 'Dawn', '--count', '1'];
    expect((await hearthd(...words)).out).toBe('2026-01-16 07:00:00 (Asia/Tokyo)\n');
    expect((await hearthdOn({ timeZone: 'Asia/Tokyo' }, ...words)).out).toBe('2026-01-16 07:00:00\n');
    expect(JSON.parse((await hearthd(...words, '--json')).out)).toEqual(['2026-01-15T22:00:00.000Z']);
    expect((await hearthd('automation', 'list')).out).toContain('2026-01-16 07:00:00 (Asia/Tokyo)');
    expect((await hearthd('setup-code')).err).toContain('before 2026-01-15 12:10:00:');
    expect((await hearthdOn({ timeZone: 'Europe/Berlin' }, 'setup-code')).err).toContain('before 2026-01-15 13:10:00:');
    await hearthd('token', 'create', 'Guest', '--expires', '2999-01-31');
    expect((await hearthdOn({ timeZone: 'Europe/Berlin' }, 'token', 'list')).out).toMatch(
      /2999-01-\d\d \d\d:\d\d:\d\d /,
    );
  });
});

describe('a state in words', () => {
  const WORDS: readonly (readonly [property: string, value: unknown, written: string])[] = [
    ['on', true, 'on=on'],
    ['on_2', false, 'on_2=off'],
    ['locked', true, 'lock=locked'],
    ['locked', false, 'lock=unlocked'],
    ['lock_target', false, 'lock_target=unlocked'],
    ['alarm_state', 'away', 'alarm=away'],
    ['alarm_target', 'night', 'alarm_target=night'],
    ['hvac_mode', 'heat', 'hvac_mode=heat'],
    ['current_door_state', 0, 'door=open'],
    ['current_door_state', 3, 'door=closing'],
    ['contact', true, 'contact=open'],
    ['motion', false, 'motion=clear'],
    ['mute', true, 'mute=on'],
    ['low_battery', true, 'low_battery=yes'],
    ['leak_detected', 1, 'leak_detected=detected'],
    ['target_fan_state', 1, 'target_fan_state=auto'],
    ['brightness', 40, 'brightness=40'],
    ['current_temp', 21.5, 'current_temp=21.5'],
    ['virtual_text', 'on', 'virtual_text=on'],
    ['motion', null, 'motion=unknown'],
  ];

  it.each(WORDS)('%s %s is shown as %3$s', (property, value, written) => {
    expect(stateInWords({ type: 'x', _settable: [], [property]: value })).toEqual([written.split('=')]);
  });

  it('is read back to what it was shown for', () => {
    for (const [property, value, written] of WORDS) {
      const [name = '', word = ''] = written.split('=');
      if (typeof value === 'boolean') expect(toReading(name, word)).toEqual([property, value]);
    }
  });

  it.each([
    ['lock', 'unlocked', 'lock_target', false],
    ['lock', 'LOCKED', 'lock_target', true],
    ['lock', true, 'lock_target', true],
    ['lock_2', 'locked', 'lock_target_2', true],
    ['alarm', 'away', 'alarm_target', 'away'],
    ['door', 'open', 'target', 100],
    ['door', 'closed', 'target', 0],
    ['target', 'closed', 'target', 0],
    ['target', 30, 'target', 30],
    ['on', 'off', 'on', false],
    ['hvac_mode', 'heat', 'hvac_mode', 'heat'],
    ['contact', 'open', 'contact', 'open'],
  ] as const)('set %s=%s writes %s %s', (name, word, property, value) => {
    expect(toSetting(name, word)).toEqual([property, value]);
  });

  it('is not repeated by what is wanted while both are the same', () => {
    const lock = { locked: true, lock_target: true };
    expect(stateInWords(lock)).toEqual([['lock', 'locked']]);
    expect(stateInWords({ ...lock, lock_target: false })).toEqual([
      ['lock', 'locked'],
      ['lock_target', 'unlocked'],
    ]);
    const door = { target_door_state: 1, current_door_state: 1, position: 0, target: 0 };
    expect(stateInWords(door)).toEqual([['door', 'closed']]);
    expect(stateInWords({ ...door, target_door_state: 0, target: 100 })).toEqual([
      ['target_door_state', 'open'],
      ['door', 'closed'],
    ]);
  });

  it('is shown once where the API has a characteristic under two names', () => {
    const thermostat = { hvac_mode: 'heat', heating_cooling_target: 1, current_temp: 21 };
    expect(stateInWords(thermostat)).toEqual([
      ['hvac_mode', 'heat'],
      ['current_temp', '21'],
    ]);
    expect(stateInWords({ heating_cooling_target: 1 })).toEqual([['heating_cooling_target', 'heat']]);
  });

  it('has the words that can be set, each property once', () => {
    const door = { current_door_state: 1, _settable: ['target', 'target_door_state'] };
    expect(settableInWords(door)).toEqual(['door (open, closed)']);
    expect(settableInWords({ _settable: ['target'] })).toEqual(['target (open, closed)']);
    expect(settableInWords({ _settable: ['lock_target', 'alarm_target', 'on_2'] })).toEqual([
      'lock (locked, unlocked)',
      'alarm',
      'on_2 (on, off)',
    ]);
    expect(settableInWords({ _settable: ['hvac_mode', 'heating_cooling_target'] })).toEqual(['hvac_mode']);
  });

  it('is shown and set on real accessories, and a word that is none is refused with those that are', async () => {
    daemon = await startDaemon();
    const { home, hearthd } = daemon;
    expect((await hearthd('state', '--type', 'lock')).out).toContain('lock=locked');
    expect(await hearthd('set', 'Front Door', 'lock=unlocked')).toMatchObject({ code: 0 });
    expect(home.driver.writes.at(-1)).toMatchObject([{ value: 0 }]);
    expect(await hearthd('set', 'Thermostat', 'hvac_mode=heat')).toMatchObject({ code: 0 });
    expect(await hearthd('set', 'Lamp', 'on=on', '--json')).toMatchObject({ code: 0 });
    expect(await hearthd('set', 'Front Door', 'lock=ajar')).toEqual({
      code: 2,
      out: '',
      err: 'lock takes locked or unlocked, not "ajar".\n',
    });
    const shown = await hearthd('accessory', 'show', 'Lamp');
    expect(shown.out).toBe(
      [
        'Lamp (light), My Home/Living Room',
        '  on=on',
        '  brightness=50',
        '  hue=0',
        '  saturation=0',
        'Writable: on (on, off), brightness, hue, saturation',
        'Id: <id>',
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await hearthd('accessory', 'show', 'Lamp', '--json')).out)).toMatchObject({ on: true });
  });
});

describe('a name that nothing has', () => {
  it('comes with the names that were likely meant: spelled nearly so, or with this text in them', () => {
    expect(suggestionsFor('Lamp', ['Reading Lamp', 'Kettle'])).toEqual(['Reading Lamp']);
    expect(suggestionsFor('lmp', ['Lamp', 'Kettle'])).toEqual(['Lamp']);
    expect(suggestionsFor('Lamp', ['Hall Lamp', 'Desk Lamp', 'Reading Lamp', 'Lamp by the door'])).toHaveLength(3);
    expect(suggestionsFor('Big Lamp', ['Small Lamp', 'Kettle'])).toEqual(['Small Lamp']);
    expect(suggestionsFor('Refrigerator', ['Lamp', 'Kettle'])).toEqual([]);
    expect(suggestionsFor('', ['Lamp'])).toEqual([]);
  });

  it('is answered so for every kind of thing', async () => {
    daemon = await startDaemon();
    const { home, hearthd } = daemon;
    const homeId = home.home.id;
    home.accessories.update(systemCaller, home.named('Lamp').id, { name: 'Reading Lamp' });
    const actions = [{ accessoryId: home.named('Kettle').id, characteristicType: 'on', targetValue: true }];
    home.scenes.create(systemCaller, { homeId, name: 'Movie Night', actions });
    home.flows.save(systemCaller, { homeId, data: { name: 'Hall Light', triggers: [], actions: [] } });
    home.collections.create(systemCaller, { name: 'Summer Things' });
    await hearthd('token', 'create', 'Kitchen Tablet');
    const asked: readonly (readonly [words: readonly string[], meant: string])[] = [
      [['set', 'Lamp', 'on=on'], 'Reading Lamp'],
      [['accessory', 'show', 'lamp'], 'Reading Lamp'],
      [['room', 'rename', 'Living', 'Lounge'], 'Living Room'],
      [['state', '--home', 'x'], ''],
      [['scene', 'run', 'movie'], 'Movie Night'],
      [['automation', 'show', 'Light'], 'Hall Light'],
      [['home', 'pause', 'Hom'], 'My Home'],
      [['collection', 'show', 'Summer'], 'Summer Things'],
      [['token', 'revoke', 'Tablet'], 'Kitchen Tablet'],
    ];
    for (const [words, meant] of asked) {
      if (meant === '') continue;
      const { code, err } = await hearthd(...words);
      expect([words, code, err]).toEqual([words, 4, expect.stringContaining(`Did you mean "${meant}"?`)]);
    }
  });
});

describe('hearthd --help', () => {
  it('lists each command once, under the heading of its group', () => {
    const program = createProgram(new Cli(createTerminal(), {}));
    const help = program.helpInformation();
    const headings = [...help.matchAll(/^([A-Z][a-z ]+):$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      'Options',
      'Control',
      'Automate',
      'Devices',
      'Home',
      'People and access',
      'Other programs',
      'Relay',
    ]);
    for (const command of program.commands) {
      expect(help.match(new RegExp(`^  ${command.name()}\\b(?!-)`, 'gm')), command.name()).toHaveLength(1);
    }
  });
});

describe('hearthd setup-code', () => {
  it('shows every address of the local network, a QR code of the first, and the code alone on stdout', async () => {
    using directory = createTempDirectory('cli');
    const home = createTestHome();
    const origins = ['http://192.168.1.5:5656', 'http://10.0.0.7:5656'];
    const guards = { ...TEST_GUARDS, lanOrigin: () => origins[0], lanOrigins: () => origins };
    const api = createTestApi(home, { guards });
    const server = new HttpServer({
      fetch: (request, env) => api.fetch(request, env),
      host: ['127.0.0.1'],
      port: 0,
      socketPath: directory.file('hearthd.sock'),
      tls: null,
      logger: silentLogger,
    });
    await server.start();
    const { code, out, err } = await run(directory.path, ['setup-code']);
    const json = JSON.parse((await run(directory.path, ['setup-code', '--json'])).out);
    await server.stop();
    home.close();
    expect([code, out]).toEqual([0, expect.stringMatching(/^[A-Z2-9]{4}-[A-Z2-9]{4}\n$/)]);
    expect(err).toMatch(
      /^Open one of these addresses in a browser, or scan the QR code of the first:\n {2}http:\/\/192/,
    );
    for (const origin of origins) expect(err).toContain(`  ${origin}/\n`);
    const { renderUnicodeCompact } = await import('uqr');
    expect(err).toContain(renderUnicodeCompact(`${origins[0]}/`, { border: 2 }));
    expect(json).toMatchObject({ url: `${origins[0]}/`, addresses: origins.map((origin) => `${origin}/`) });
  });
});
