import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lamp } from '../support/sample-accessories.ts';
import { systemCaller } from '../support/test-home.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

const SECOND = '20:00:00:00:00:01';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
  const { home } = daemon;
  home.driver.attach(home.home.id, { deviceId: SECOND, name: 'X', setupCode: '', accessories: [lamp('Bedside')] });
});
afterEach(() => daemon.stop());

describe('hearthd group', () => {
  it('creates groups of accessories by name, and lists and shows them', async () => {
    const created = await daemon.hearthd('group', 'create', 'Ceiling', 'Living Room/Lamp', 'bedside');
    expect(created).toEqual({
      code: 0,
      err: '',
      out: [
        'Created the service group Ceiling (<id>).',
        'MEMBER   ROOM          SERVICE  ID',
        'Lamp     Living Room   8        <id>',
        'Bedside  Default Room  8        <id>',
        '',
      ].join('\n'),
    });
    expect((await daemon.hearthd('group', 'list')).out).toBe(
      [
        'HOME     NAME     TYPE   MEMBERS  STATE                                    ID',
        'My Home  Ceiling  light  2        on=off brightness=50 hue=0 saturation=0  <id>',
        '',
      ].join('\n'),
    );
    const { out } = await daemon.hearthd('group', 'show', 'my home/ceiling');
    expect(out).toMatch(/^Ceiling: on=off brightness=50/);
    expect(JSON.parse((await daemon.hearthd('group', 'list', '--home', 'My Home', '--json')).out)).toHaveLength(1);
  });

  it('sets and resets the icon of a group', async () => {
    await daemon.hearthd('group', 'create', 'Ceiling', 'Lamp');
    expect((await daemon.hearthd('group', 'update', 'Ceiling', '--icon', 'lamp-ceiling')).code).toBe(0);
    const icon = () => daemon.home.state.serviceGroups.list(daemon.home.home.id)[0]?.icon;
    expect(icon()).toBe('lamp-ceiling');
    expect((await daemon.hearthd('group', 'update', 'Ceiling', '--name', 'All')).code).toBe(0);
    expect(icon()).toBe('lamp-ceiling');
    expect((await daemon.hearthd('group', 'update', 'All', '--no-icon')).code).toBe(0);
    expect(icon()).toBeNull();
  });

  it('creates groups of services by id', async () => {
    const { id } = daemon.home.named('Lamp');
    expect((await daemon.hearthd('group', 'create', 'One', `${id.toUpperCase()}.8`)).code).toBe(0);
    expect(daemon.home.state.serviceGroups.list(daemon.home.home.id)).toMatchObject([
      { members: [{ accessoryId: id, serviceIid: '8' }] },
    ]);
  });

  it('sets every member, and reports which failed', async () => {
    await daemon.hearthd('group', 'create', 'Ceiling', 'Lamp', 'Bedside');
    expect(await daemon.hearthd('group', 'set', 'Ceiling', 'on=true', 'brightness=40')).toEqual({
      code: 0,
      out: 'Ceiling: on=true brightness=40\n',
      err: '',
    });
    expect(daemon.home.driver.writes.map((writes) => writes.map(({ value }) => value))).toEqual([[true, 40, true, 40]]);
    daemon.home.driver.setReachable(SECOND, false);
    expect(await daemon.hearthd('group', 'set', 'Ceiling', 'on=false')).toEqual({
      code: 6,
      out: '',
      err: expect.stringMatching(/^on: Bedside: Accessory unreachable\nSucceeded: .*Ceiling.*: on=false\n$/i),
    });
    expect((await daemon.hearthd('group', 'set', 'Ceiling', 'brightness=400')).code).toBe(2);
    expect((await daemon.hearthd('group', 'set', 'Ceiling', 'lock_target=true')).code).toBe(2);
    daemon.home.driver.setReachable(SECOND, true);
    expect(await daemon.hearthd('group', 'set', 'Ceiling', 'on=true', 'brightness=400')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^brightness: Invalid value 400 .*\nSucceeded: .*: on=true\n$/),
    });
    daemon.home.driver.scriptWrites(() => 'device_error');
    expect((await daemon.hearthd('group', 'set', 'Ceiling', 'on=true')).code).toBe(1);
  });

  it('is set and shown like an accessory, too', async () => {
    await daemon.hearthd('group', 'create', 'Ceiling', 'Living Room/Lamp', 'bedside');
    expect(await daemon.hearthd('set', 'Living Room/Ceiling', 'on=true')).toMatchObject({
      code: 0,
      out: 'Ceiling: on=true\n',
    });
    const { out } = await daemon.hearthd('state', '--type', 'light');
    expect(out).toMatch(/Living Room +Ceiling +light group +on=on/);
    expect(out).toMatch(/Default Room +Bedside +light +on=on/);
  });

  it('changes and deletes groups', async () => {
    await daemon.hearthd('group', 'create', 'Ceiling', 'Lamp');
    const changed = await daemon.hearthd(
      'group',
      'update',
      'Ceiling',
      '--name',
      'All',
      '--member',
      'Bedside',
      '--member',
      'Lamp',
    );
    expect(changed.out).toMatch(/^Updated the service group All\.\n.*\nBedside .*\nLamp /);
    expect((await daemon.hearthd('group', 'update', 'All', '--name', 'Every Lamp')).code).toBe(0);
    expect((await daemon.hearthd('group', 'update', 'Every Lamp')).code).toBe(2);
    expect((await daemon.hearthd('group', 'delete', 'every lamp')).out).toBe('Deleted the service group Every Lamp.\n');
    expect(await daemon.hearthd('group', 'delete', 'Every Lamp')).toMatchObject({
      code: 4,
      err: 'No group "Every Lamp". hearthd group list lists them.\n',
    });
    expect((await daemon.hearthd('group', 'list')).err).toContain('No service groups.');
    expect((await daemon.hearthd('group', 'create', 'Mixed', 'Lamp', 'Heater')).err).toContain('"Heater" is no light');
  });

  it('reports that members are gone', async () => {
    await daemon.hearthd('group', 'create', 'Ceiling', 'Bedside');
    await daemon.home.driver.unpair(SECOND, true);
    expect(await daemon.hearthd('group', 'set', 'Ceiling', 'on=true')).toMatchObject({
      code: 6,
      err: 'No member of Ceiling is available.\n',
    });
    expect((await daemon.hearthd('group', 'show', 'Ceiling')).out).toBe(
      ['Ceiling: (no members available)', 'MEMBER  ROOM  SERVICE  ID', '(gone)        8        <id>', ''].join('\n'),
    );
  });
});

describe.each([
  ['zone', 'zone'],
  ['room-group', 'room group'],
])('hearthd %s', (word, words) => {
  it('lists, creates, changes and deletes them', async () => {
    expect(await daemon.hearthd(word, 'create', 'Down', 'living room', 'My Home/Default Room')).toEqual({
      code: 0,
      err: '',
      out: `Created the ${words} Down (<id>): Living Room, Default Room.\n`,
    });
    expect((await daemon.hearthd(word, 'list')).out).toBe(
      ['HOME     NAME  ROOMS                      ID', 'My Home  Down  Living Room, Default Room  <id>', ''].join('\n'),
    );
    expect((await daemon.hearthd(word, 'update', 'down', '--name', 'Ground', '--room', 'Living Room')).out).toBe(
      `Updated the ${words} Ground: Living Room.\n`,
    );
    expect((await daemon.hearthd(word, 'update', 'Ground')).code).toBe(2);
    expect((await daemon.hearthd(word, 'delete', 'My Home/Ground')).out).toBe(`Deleted the ${words} Ground.\n`);
    expect((await daemon.hearthd(word, 'delete', 'Ground')).code).toBe(4);
    expect((await daemon.hearthd(word, 'list')).err).toBe(`No ${words}s.\n`);
    expect((await daemon.hearthd(word, 'create', 'Down', 'Cellar')).code).toBe(4);
  });

  it('takes the home of the first room where there are several', async () => {
    const cottage = daemon.home.homes.create(systemCaller, { name: 'Cottage' });
    expect((await daemon.hearthd(word, 'create', 'Down', 'Living Room')).code).toBe(0);
    expect((await daemon.hearthd(word, 'create', 'Out', 'Default Room', '--home', 'Cottage')).code).toBe(0);
    const sets = word === 'zone' ? daemon.home.zones : daemon.home.roomGroups;
    expect(sets.list(systemCaller, cottage.id)).toMatchObject([{ name: 'Out' }]);
  });
});

describe('hearthd collection', () => {
  it('lists, creates, shows, changes and deletes them', async () => {
    expect((await daemon.hearthd('collection', 'create', 'Evening', 'Lamp', 'Living Room/Thermostat')).out).toBe(
      'Created the collection Evening (<id>).\n',
    );
    expect((await daemon.hearthd('collection', 'list')).out).toBe('NAME     ITEMS  ID\nEvening  2      <id>\n');
    expect((await daemon.hearthd('collection', 'show', 'evening')).out).toBe(
      [
        'HOME     ITEM        GROUP  ID',
        'My Home  Lamp               <id>',
        'My Home  Thermostat         <id>',
        '',
      ].join('\n'),
    );
    const file = join(daemon.dataDir, 'night.json');
    const items = [{ home_id: daemon.home.home.id, accessory_id: daemon.home.named('Bedside').id, group_id: 'a' }];
    writeFileSync(file, JSON.stringify({ groups: [{ id: 'a', name: 'Lights' }], items }));
    const changed = await daemon.hearthd('collection', 'update', 'Evening', '--name', 'Night', '--file', file);
    expect(changed.out).toBe('Updated the collection Night.\n');
    await daemon.home.driver.unpair(SECOND, true);
    expect((await daemon.hearthd('collection', 'show', 'Night')).out).toContain('My Home  (gone)  Lights');
    writeFileSync(file, '{');
    expect((await daemon.hearthd('collection', 'update', 'Night', '--file', file)).code).toBe(2);
    expect((await daemon.hearthd('collection', 'update', 'Night')).code).toBe(2);
    expect((await daemon.hearthd('collection', 'delete', 'Night')).out).toBe('Deleted the collection Night.\n');
    expect((await daemon.hearthd('collection', 'show', 'Night')).code).toBe(4);
    expect((await daemon.hearthd('collection', 'list')).err).toBe('No collections.\n');
  });
});
