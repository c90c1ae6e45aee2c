import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UpdateCheckStore } from '../../src/app/updates/update-check-store.ts';
import { main } from '../../src/cli/cli.ts';
import { parseExpiry } from '../../src/cli/expiry.ts';
import { VERSION } from '../../src/kernel/version.ts';
import { PNG } from '../support/pictures.ts';
import { characteristic, information, plainSwitch, service } from '../support/sample-accessories.ts';
import { createTerminal, type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

const LAMP = '10:00:00:00:00:01';

describe('accessories', () => {
  it('are listed as plain aligned text in a pipe', async () => {
    const { code, out, err } = await daemon.hearthd('accessories');
    expect(code).toBe(0);
    expect(err).toBe('');
    expect(out).toBe(
      [
        'HOME     ROOM          NAME        TYPE     REACHABLE  ID',
        'My Home  Default Room  Button      button   yes        <id>',
        'My Home  Default Room  Front Door  lock     yes        <id>',
        'My Home  Default Room  Heater      switch   yes        <id>',
        'My Home  Default Room  Kettle      switch   yes        <id>',
        'My Home  Living Room   Lamp        light    yes        <id>',
        'My Home  Living Room   Motion      motion   yes        <id>',
        'My Home  Living Room   Thermostat  climate  yes        <id>',
        '',
      ].join('\n'),
    );
  });

  it('are listed in a table on a terminal', async () => {
    const { out } = await daemon.hearthdOn({ isTty: true }, 'accessories', '--type', 'light');
    const [top, head, line, row] = out.split('\n');
    expect(top).toMatch(/^┌─+┬/);
    expect(head).toMatch(/^│ Home +│ Room +│ Name +│ Type +│ Reachable +│ Id +│$/);
    expect(line).toMatch(/^├─+┼/);
    expect(row).toBe('│ My Home │ Living Room │ Lamp │ light │ yes       │ <id> │');
  });

  it('are given whole as JSON', async () => {
    const { out } = await daemon.hearthd('accessories', '--json', '--name', 'lamp');
    expect(JSON.parse(out)).toEqual([
      expect.objectContaining({ name: 'Lamp', roomName: 'Living Room', deviceId: LAMP, services: expect.any(Array) }),
    ]);
  });

  it('are filtered by home and room as people write them', async () => {
    const names = async (...filters: string[]): Promise<unknown> => {
      const { out } = await daemon.hearthd('accessories', '--json', ...filters);
      return (JSON.parse(out) as { name: string }[]).map(({ name }) => name);
    };
    expect(await names('--room', 'living room')).toEqual(['Lamp', 'Motion', 'Thermostat']);
    expect(await names('--room', 'My Home/Living Room', '--type', 'climate')).toEqual(['Thermostat']);
    expect(await names('--home', 'MY HOME', '--name', 'kett')).toEqual(['Kettle']);
    expect((await daemon.hearthd('accessories', '--home', 'Office')).code).toBe(4);
    expect((await daemon.hearthd('accessories', '--type', 'teapot')).err).toContain('No accessory matches.');
  });

  it('are renamed, given their own name back, and moved', async () => {
    expect(await daemon.hearthd('accessory', 'rename', 'Lamp', 'Reading Lamp')).toMatchObject({
      code: 0,
      out: 'Renamed Lamp to Reading Lamp.\n',
    });
    expect((await daemon.hearthd('accessory', 'rename', 'Reading Lamp', '--reset')).out).toBe(
      'Renamed Reading Lamp to Lamp.\n',
    );
    expect((await daemon.hearthd('accessory', 'rename', 'Lamp')).code).toBe(2);
  });

  it('get an icon of the list', async () => {
    expect((await daemon.hearthd('accessory', 'icons', 'LAMP-WALL')).out).toBe('ICON\nlamp-wall-up\nlamp-wall-down\n');
    expect((await daemon.hearthd('accessory', 'icon', 'Lamp', 'sofa')).out).toBe('Lamp: sofa\n');
    expect(daemon.home.named('Lamp').icon).toBe('sofa');
    const { code, err } = await daemon.hearthd('accessory', 'icon', 'Lamp', 'sofaa');
    expect([code, err]).toEqual([2, expect.stringContaining('Did you mean "sofa"?')]);
    expect((await daemon.hearthd('accessory', 'icon', 'Lamp', '--reset')).out).toBe('Reset the icon of Lamp.\n');
    expect(daemon.home.named('Lamp').icon).toBeNull();
    expect((await daemon.hearthd('accessory', 'icon', 'Lamp')).code).toBe(2);
    expect((await daemon.hearthd('accessory', 'rename', 'Lamp', 'X', '--reset')).code).toBe(2);
    expect((await daemon.hearthd('accessory', 'move', 'Kettle', 'Living Room')).out).toBe(
      'Moved Kettle to Living Room.\n',
    );
    expect((await daemon.hearthd('accessory', 'move', 'Kettle', 'Cellar')).code).toBe(4);
    expect(daemon.home.state.room(daemon.home.named('Kettle').roomId)?.name).toBe('Living Room');
  });

  it('identify themselves by name, and by device id whether paired or not', async () => {
    await daemon.hearthd('identify', 'living room/lamp');
    await daemon.hearthd('identify', LAMP);
    await daemon.hearthd('unpair', 'Lamp');
    expect((await daemon.hearthd('identify', LAMP.toLowerCase())).code).toBe(0);
    expect(daemon.home.driver.identified).toHaveLength(3);
    expect((await daemon.hearthd('identify', 'AA:AA:AA:AA:AA:AA')).code).toBe(4);
  });

  it('by the device id of a bridge, the bridge itself', async () => {
    const names = { 'A Child': '2', 'The Bridge': '1', 'Zebra Lamp': '3' };
    daemon.home.driver.attach(daemon.home.home.id, {
      deviceId: 'BB:00:00:00:00:01',
      name: 'The Bridge',
      setupCode: '031-45-154',
      accessories: Object.entries(names).map(([name, aid]) => plainSwitch(name, aid)),
    });
    await daemon.hearthd('identify', 'BB:00:00:00:00:01');
    expect(daemon.home.driver.identified).toEqual([{ source: 'BB:00:00:00:00:01', aid: '1' }]);
  });
});

describe('homes and rooms', () => {
  it('are created, renamed, paused, resumed and deleted', async () => {
    await daemon.home.clock.advance(1000);
    expect((await daemon.hearthd('home', 'create', 'Cottage')).out).toBe('Created the home Cottage (<id>).\n');
    expect((await daemon.hearthd('home', 'pause', 'cottage')).out).toBe('Home Cottage is paused.\n');
    expect((await daemon.hearthd('home', 'list')).out).toBe(
      [
        'NAME     STATUS   ROOMS  ACCESSORIES  KEY           ID',
        'My Home  running  2      7            my_home_<id>  <id>',
        'Cottage  paused   1      0            cottage_<id>  <id>',
        '',
      ].join('\n'),
    );
    expect((await daemon.hearthd('home', 'resume', 'Cottage')).out).toBe('Home Cottage is running.\n');
    expect((await daemon.hearthd('home', 'rename', 'Cottage', 'Hut')).out).toBe('Renamed the home Cottage to Hut.\n');
    expect((await daemon.hearthd('home', 'create', 'hut')).code).toBe(5);
    expect((await daemon.hearthd('room', 'create', 'Loft')).err).toContain(
      'There are several homes. Choose one with --home',
    );
    expect((await daemon.hearthd('room', 'create', 'Loft', '--home', 'Hut')).code).toBe(0);
    expect((await daemon.hearthd('room', 'rename', 'Hut/Loft', 'Attic')).out).toBe('Renamed the room Loft to Attic.\n');
    expect((await daemon.hearthd('room', 'list', '--home', 'Hut')).out).toBe(
      [
        'HOME  NAME          ACCESSORIES  COLOR           ID',
        'Hut   Attic         0                            <id>',
        'Hut   Default Room  0                   default  <id>',
        '',
      ].join('\n'),
    );
    expect((await daemon.hearthd('room', 'color', 'Attic', 'teal')).out).toBe('Attic: teal\n');
    expect((await daemon.hearthd('room', 'color', 'Attic', 'tael')).err).toContain('Did you mean "teal"?');
    expect((await daemon.hearthd('room', 'color', 'Attic', '--none')).out).toBe('Removed the color of Attic.\n');
    const picture = join(daemon.dataDir, 'attic.png');
    writeFileSync(picture, PNG);
    expect((await daemon.hearthd('room', 'picture', 'Attic', picture)).out).toBe('Set the picture of Attic.\n');
    writeFileSync(picture, PNG.subarray(0, 40));
    expect((await daemon.hearthd('room', 'picture', 'Attic', picture)).err).toContain('damaged or incomplete');
    expect((await daemon.hearthd('room', 'picture', 'Attic', `${picture}.not`)).err).toContain('Cannot read');
    expect((await daemon.hearthd('room', 'picture', 'Attic', '--remove')).out).toBe('Removed the picture of Attic.\n');
    expect((await daemon.hearthd('room', 'delete', 'Attic')).out).toBe('Deleted the room Attic.\n');
    expect((await daemon.hearthd('home', 'delete', 'Hut')).out).toBe('Deleted the home Hut.\n');
    expect((await daemon.hearthd('home', 'delete', 'My Home')).code).toBe(5);
  });
});

describe('state', () => {
  it('is shown by the names that people gave', async () => {
    const { out } = await daemon.hearthd('state', '--type', 'light');
    expect(out).toBe(
      [
        'HOME     ROOM         ACCESSORY  TYPE   STATE',
        'My Home  Living Room  Lamp       light  on=off brightness=50 hue=0 saturation=0',
        '',
      ].join('\n'),
    );
  });

  it('is the API’s own tree as JSON', async () => {
    const { out } = await daemon.hearthd('state', '--room', 'living', '--json');
    expect(Object.keys(JSON.parse(out))).toEqual(['my_home_<id>', '_homes', '_meta']);
  });

  it('is set, in one write, and read back', async () => {
    expect(await daemon.hearthd('set', 'Living Room/Lamp', 'on=true', 'brightness=40')).toEqual({
      code: 0,
      out: 'Lamp: on=true brightness=40\n',
      err: '',
    });
    expect(daemon.home.driver.writes).toHaveLength(1);
    expect((await daemon.hearthd('state', '--name', 'lamp')).out).toContain('on=on brightness=40');
  });

  it('answers a set with the API’s own report as JSON', async () => {
    const { out } = await daemon.hearthd('set', 'lamp', 'on=true', '--json');
    expect(JSON.parse(out)).toEqual({
      updated: 1,
      failed: 0,
      changes: ['my_home_<id>/living_room_<id>/lamp_<id>: on=true'],
      errors: [],
      message: 'Updated 1 accessory',
    });
  });

  it.each([
    [['Lamp', 'brightness=400'], 2, /^brightness: Invalid value .*0 to 100/],
    [['Lamp', 'shine=1'], 2, /^shine: Unknown property 'shine'.*settable are on, brightness/],
    [['Motion', 'battery=1'], 5, /^battery: Characteristic not writable/],
    [['Lamp', 'brightness'], 2, /"brightness" is not in the form property=value, for example on=true/],
    [['Lamp', '=1'], 2, /is not in the form property=value/],
    [['Lamp', 'on=1', 'on=0'], 2, /on appears twice/],
    [['Lamp', 'on=true', 'name=Moon'], 2, /name is not a property .*hearthd accessory rename/],
    [['Lamp', '_settable=on'], 2, /_settable is not a property/],
    [['Lmp', 'on=true'], 4, /No accessory "Lmp"\. Did you mean "Lamp"\?/],
    [['Lamp'], 2, /missing required argument 'property=value'/],
  ])('refuses set %j with exit code %i', async (args, code, message) => {
    const answer = await daemon.hearthd('set', ...args);
    expect(answer.err).toMatch(message);
    expect(answer).toMatchObject({ code, out: '' });
  });

  it('sends text as it was typed, leading zeros and all', async () => {
    const label = characteristic('9', 'E3', 'string', '');
    daemon.home.driver.describe(LAMP, [
      { aid: '1', name: 'Lamp', category: 5, services: [information('Lamp'), service('8', '43', [label])] },
    ]);
    for (const text of ['007', '1.50', '1e3', '-', '12345678901234567890']) {
      expect(await daemon.hearthd('set', 'Lamp', `configured_name=${text}`)).toMatchObject({ code: 0, err: '' });
      expect(daemon.home.driver.writes.at(-1)).toMatchObject([{ value: text }]);
    }
  });

  it('reports what was done all the same when a part fails', async () => {
    const answer = await daemon.hearthd('set', 'Lamp', 'on=true', 'brightness=400');
    expect(answer.code).toBe(2);
    expect(answer.err).toMatch(/Succeeded: .*on=true/);
  });

  it('distinguishes an unreachable device and a paused home from a wrong value', async () => {
    daemon.home.driver.setReachable(LAMP, false);
    expect(await daemon.hearthd('set', 'Lamp', 'on=true')).toMatchObject({ code: 6 });
    await daemon.hearthd('home', 'pause', 'My Home');
    const { code, out } = await daemon.hearthd('set', 'Kettle', 'on=true', '--json');
    expect(code).toBe(6);
    expect(JSON.parse(out)).toMatchObject({ code: 'relay_not_connected', exitCode: 6 });
  });
});

describe('pairing', () => {
  it('shows its steps on stderr, then puts the accessory into a room, made where needed, under its name', async () => {
    await daemon.hearthd('unpair', LAMP);
    const answer = await daemon.hearthd(
      'pair',
      'lamp',
      '--code',
      '031-45-154',
      '--room',
      'Attic',
      '--name',
      'Night Lamp',
    );
    expect(answer.code).toBe(0);
    expect(answer.out).toBe(`Paired Lamp (${LAMP}) in My Home.\n`);
    expect(answer.err).toMatch(/^• Connecting to the accessory\n• Exchanging keys.*\n(• .*\n)+• Paired\n$/);
    const { name, roomId } = daemon.home.named('Night Lamp');
    expect([name, daemon.home.state.room(roomId)?.name]).toEqual(['Night Lamp', 'Attic']);
  });

  it('stands even if the room is no good, and reports it', async () => {
    await daemon.hearthd('unpair', LAMP);
    const { code, err } = await daemon.hearthd('pair', LAMP, '--code', '031-45-154', '--room', ' ');
    expect(code).toBe(2);
    expect(err).toContain('Paired Lamp, but could not set its room or name: ');
    expect((await daemon.hearthd('pairings')).out).toContain(LAMP);
  });

  it('takes the code from stdin or from the person, and never shows it', async () => {
    await daemon.hearthd('unpair', LAMP);
    const fromStdin = await daemon.hearthdOn({ stdin: '031-45-154\n' }, 'pair', LAMP, '--code', '-', '--json');
    expect(fromStdin).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(fromStdin.out)).toMatchObject({ deviceId: LAMP, status: 'connected' });
    await daemon.hearthd('unpair', LAMP);
    const typed = await daemon.hearthdOn({ isTty: true, colour: true, secret: '031-45-154' }, 'pair', LAMP);
    expect(typed.code).toBe(0);
    expect(typed.err).not.toContain('\ufffd');
    for (const { out, err } of [fromStdin, typed]) expect(out + err).not.toMatch(/031-?45/);
  });

  it.each([
    ['no code and nobody to ask', ['pair', LAMP], {}, 2, /Pass --code 031-45-154, or --code - and the code on stdin/],
    ['an empty stdin', ['pair', LAMP, '--code', '-'], {}, 2, /No setup code entered/],
    ['a prompt left without an answer', ['pair', LAMP], { secret: 'nonsense' }, 2, /Nothing paired/],
    ['a wrong code', ['pair', LAMP, '--code', '031-45-999'], {}, 7, /\S/],
    ['a malformed code', ['pair', LAMP, '--code', '12'], {}, 2, /\S/],
    ['an unknown name', ['pair', 'Toaster', '--code', '031-45-154'], {}, 4, /No accessory "Toaster" on the network/],
    ['an unknown device', ['pair', 'AA:AA:AA:AA:AA:AA', '--code', '031-45-154'], {}, 4, /\S/],
    ['an unknown home', ['pair', LAMP, '--home', 'Office', '--code', '031-45-154'], {}, 4, /No home "Office"/],
  ] as const)('refuses %s', async (_case, args, script, code, message) => {
    await daemon.hearthd('unpair', LAMP);
    const answer = await daemon.hearthdOn(script, ...args);
    expect(answer.err).toMatch(message);
    expect(answer.code).toBe(code);
    expect(answer.out).toBe('');
  });

  it('refuses a device that is paired here already, and one that is not to be unpaired', async () => {
    expect(await daemon.hearthd('pair', LAMP, '--code', '031-45-154')).toMatchObject({ code: 5 });
    expect((await daemon.hearthd('unpair', 'Toaster')).err).toContain('No paired device "Toaster"');
  });

  it('ends by name, and by force if the device does not answer', async () => {
    daemon.home.driver.setReachable(LAMP, false);
    expect(await daemon.hearthd('unpair', 'Lamp')).toMatchObject({
      code: 6,
      err: expect.stringContaining('To unpair Lamp here anyway, add --force'),
    });
    expect(await daemon.hearthd('unpair', 'Lamp', '--force')).toMatchObject({
      code: 0,
      out: `Unpaired Lamp (${LAMP}).\n`,
    });
  });

  it('lists pairings and their connections', async () => {
    const { out } = await daemon.hearthd('pairings');
    expect(out.split('\n').slice(0, 2)).toEqual([
      'NAME        DEVICE ID          KIND                 HOME     ADDRESS         STATUS',
      'Lamp        10:00:00:00:00:01  Lightbulb            My Home  127.0.0.1:5001  connected',
    ]);
    expect(JSON.parse((await daemon.hearthd('pairings', '--json')).out)).toHaveLength(6);
  });

  it('connects to a device again, and reports one that does not answer', async () => {
    expect(await daemon.hearthd('device', 'reconnect', 'Lamp')).toMatchObject({ code: 0, out: 'Connected to Lamp.\n' });
    expect(JSON.parse((await daemon.hearthd('device', 'reconnect', LAMP, '--json')).out)).toMatchObject({
      reconnects: 2,
    });
    daemon.home.driver.setReachable(LAMP, false);
    expect((await daemon.hearthd('device', 'reconnect', 'Lamp')).code).toBe(6);
    daemon.home.driver.setReachable(LAMP, true);
  });

  it('writes the diagnostics of a device, without its name and id', async () => {
    const { out, code } = await daemon.hearthd('device', 'diagnostics', 'Lamp');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ format: 'hearthd.device-diagnostics', device: { model: 'Fake' } });
    expect(out).not.toContain(LAMP);
    expect((await daemon.hearthd('device', 'diagnostics', 'Lamp', '--file', '/no/such/folder/x')).code).not.toBe(0);
    expect((await daemon.hearthd('device', 'diagnostics', 'Nothing')).code).not.toBe(0);
  });

  it('lists, adds and removes the controllers of a device', async () => {
    const key = 'ab'.repeat(32);
    expect((await daemon.hearthd('controllers', 'add', 'Lamp', 'other-controller', key, '--admin')).code).toBe(0);
    const { out } = await daemon.hearthd('controllers', 'list', 'Lamp');
    expect(out).toContain('this relay');
    expect(out).toMatch(/other-controller +admin +abab/);
    expect((await daemon.hearthd('controllers', 'remove', 'Lamp', 'other-controller')).code).toBe(0);
    expect((await daemon.hearthd('controllers', 'list', 'Lamp')).out).not.toContain('other-controller');
    expect((await daemon.hearthd('controllers', 'add', 'Lamp', 'x', 'short')).code).toBe(2);
  });
});

describe('discover', () => {
  it('shows once in a pipe, and scans the network first', async () => {
    await daemon.hearthd('unpair', LAMP);
    const { out } = await daemon.hearthd('discover', '--wait', '0');
    expect(daemon.home.driver.refreshes).toBe(1);
    expect(out).toMatch(/^NAME +DEVICE ID +KIND +MODEL +ADDRESS +STATUS\n/);
    expect(out).toMatch(/Lamp +10:00:00:00:00:01 +Lightbulb +Fake +127\.0\.0\.1:\d+ +ready to pair\n/);
    expect(out).toContain('paired in My Home');
  });

  it('gives the API’s own list as JSON', async () => {
    const { out } = await daemon.hearthd('discover', '--json', '--wait', '0');
    expect(JSON.parse(out)).toHaveLength(6);
  });

  it('keeps the table up to date on a terminal until Ctrl-C', async () => {
    const terminal = createTerminal({ isTty: true });
    const ended = main(['discover', '--data-dir', daemon.dataDir], { terminal, variables: { HOME: '/nowhere' } });
    await expect.poll(() => terminal.written.out).toContain('6 accessories. Press Ctrl-C to stop.');
    daemon.home.driver.addDevice({
      deviceId: '10:00:00:00:00:07',
      name: 'New',
      setupCode: '031-45-160',
      accessories: [],
    });
    await expect.poll(() => terminal.written.out).toContain('7 accessories. Press Ctrl-C to stop.');
    // Each drawing begins where the one before began.
    expect(terminal.written.out).toContain('\u001b[11A\u001b[0J');
    terminal.interrupt();
    expect(await ended).toBe(0);
  });

  it('enters and removes what multicast does not reach', async () => {
    expect((await daemon.hearthd('discover', '--add', '192.0.2.7:51826', '--wait', '0')).code).toBe(0);
    expect((await daemon.hearthd('discover', '--remove', '192.0.2.7:51826', '--wait', '0')).code).toBe(0);
    expect((await daemon.hearthd('discover', '--wait', 'long')).code).toBe(2);
  });
});

describe('tokens', () => {
  it('are shown once, alone on stdout, so that a script can keep them', async () => {
    const { code, out, err } = await daemon.hearthd('token', 'create', 'Panel');
    expect(code).toBe(0);
    expect(out).toMatch(/^hc_[A-Za-z0-9_-]{43}\n$/);
    expect(err).toContain('shown only once');
    const listed = await daemon.hearthd('token', 'list');
    expect(listed.out).toMatch(/^NAME +TOKEN +HOMES +STATUS +LAST USED +ID\nPanel +hc_.{8}… +all +active +<id>\n$/);
    expect(listed.out).not.toContain(out.trim());
  });

  it('are limited to homes and in time, and revoked by name', async () => {
    const { out } = await daemon.hearthd(
      'token',
      'create',
      'Guest',
      '--home',
      'My Home=view',
      '--expires',
      '2999-01-31',
      '--json',
    );
    expect(JSON.parse(out)).toMatchObject({
      token: expect.stringMatching(/^hc_/),
      accessToken: { expiresAt: '2999-01-31T00:00:00.000Z' },
    });
    expect((await daemon.hearthd('token', 'list')).out).toMatch(
      /Guest +hc_\S+ +My Home=view +active until 2999-01-31 00:00:00/,
    );
    expect((await daemon.hearthd('token', 'revoke', 'guest')).out).toMatch(/^Revoked the token Guest \(hc_.*…\)\.\n$/);
    expect((await daemon.hearthd('token', 'revoke', 'Guest')).code).toBe(4);
  });

  it.each([
    [['--home', 'My Home'], 'NAME=view or NAME=control'],
    [['--home', 'My Home=own'], 'NAME=view or NAME=control'],
    [['--home', 'Office=view'], 'No home'],
    [['--expires', 'soon'], '--expires takes a time span'],
    [['--expires', '2001-01-01'], 'is in the past'],
  ])('refuse %j', async (args, message) => {
    const { code, err } = await daemon.hearthd('token', 'create', 'X', ...args);
    expect(err).toContain(message);
    expect([2, 4]).toContain(code);
  });

  it('expire after the span that people write', () => {
    const minute = 60_000;
    expect(['5m', '12h', '30d', '2w', '1y'].map((span) => parseExpiry(span, 0) / minute)).toEqual([
      5, 720, 43_200, 20_160, 525_600,
    ]);
    expect(parseExpiry('2030-06-01T12:00:00Z', 0)).toBe(Date.UTC(2030, 5, 1, 12));
  });
});

describe('version', () => {
  it('shows its own and, where it differs, the daemon’s', async () => {
    const { out } = await daemon.hearthd('version');
    expect(out).toBe(
      `hearthd ${VERSION} (Node ${process.versions.node})\nThe running daemon has version 0.0.0-test. Restart it to finish the upgrade.\n`,
    );
    expect(JSON.parse((await daemon.hearthd('version', '--json')).out)).toEqual({
      version: VERSION,
      node: process.versions.node,
      daemon: '0.0.0-test',
      newVersion: null,
    });
  });

  it('shows a newer one that the update check found, and so does status', async () => {
    const { home } = daemon;
    new UpdateCheckStore(home.database).save({ askedAt: home.clock.now(), latest: '999.0.0' });
    await daemon.hearthd('settings', 'set', 'update_check', 'true');
    home.updateCheck.start();
    expect((await daemon.hearthd('version')).out).toMatch(/\nVersion 999\.0\.0 is out\. Run: sudo hearthd upgrade\n$/);
    expect(JSON.parse((await daemon.hearthd('version', '--json')).out).newVersion).toBe('999.0.0');
    expect((await daemon.hearthd('status')).err).toContain('info: Version 999.0.0 is out.');
    await home.updateCheck.stop();
    await daemon.hearthd('settings', 'reset', 'update_check');
    expect((await daemon.hearthd('version')).out).not.toContain('999');
  });
});
