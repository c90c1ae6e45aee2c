import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../support/test-home.ts';
import { createUser } from '../support/test-users.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

const rows = () => daemon.home.shares.mine(systemCaller);
const CREATE_ROOM = ['share', 'create', 'room', 'Living Room', '--role', 'control'] as const;

describe('hearthd share', () => {
  it('shares a room by its name, prints the link alone on stdout, and lists it', async () => {
    const created = await daemon.hearthd(...CREATE_ROOM, '--name', 'Guests');
    const [share] = rows();
    expect(created).toEqual({
      code: 0,
      err: 'Shared Living Room with anyone with the link (control):\n',
      out: `/s/${share?.shareHash}\n`,
    });
    expect(share).toMatchObject({ accessType: 'public', role: 'control', name: 'Guests', accessSchedule: null });
    const { out } = await daemon.hearthd('share', 'list');
    expect(out).toMatch(/room Living Room +anyone with the link +control +always +Guests +<id>/);
    expect(JSON.parse((await daemon.hearthd('share', 'list', 'accessory', 'Lamp', '--json')).out)).toEqual([]);
  });

  it.each([
    ['home', 'My Home', 'home'],
    ['accessory', 'Living Room/Lamp', 'accessory'],
    ['group', 'Lamps', 'accessory_group'],
    ['room-group', 'Downstairs', 'room_group'],
    ['collection', 'Favourites', 'collection'],
    ['collection-group', 'Favourites/Lights', 'collection_group'],
  ])('finds a %s by name', async (kind, text, entityType) => {
    const { home } = daemon;
    const [homeId, lamp] = [home.home.id, home.named('Lamp')];
    home.serviceGroups.create(systemCaller, { homeId, name: 'Lamps', accessoryIds: [lamp.id] });
    home.roomGroups.create(systemCaller, { homeId, name: 'Downstairs', roomIds: [lamp.roomId] });
    const groups = [{ id: 'lights', name: 'Lights' }];
    const items = [{ home_id: homeId, accessory_id: lamp.id, group_id: 'lights' }];
    home.collections.create(systemCaller, { name: 'Favourites', payload: { groups, items } });
    expect((await daemon.hearthd('share', 'create', kind, text, '--role', 'view')).code).toBe(0);
    expect(rows()).toMatchObject([{ entityType, role: 'view' }]);
  });

  it('asks for a passcode, or reads it from stdin, and never takes it as an argument', async () => {
    expect((await daemon.hearthd(...CREATE_ROOM, '--passcode')).code).toBe(2);
    const typed = await daemon.hearthdOn({ secret: '493817' }, ...CREATE_ROOM, '--passcode');
    expect(typed).toMatchObject({ code: 0, err: expect.stringContaining('anyone with the passcode') });
    expect((await daemon.hearthdOn({ stdin: '715533' }, ...CREATE_ROOM, '--passcode-stdin')).code).toBe(0);
    expect(rows().map(({ hasPasscode }) => hasPasscode)).toEqual([true, true]);
    expect((await daemon.hearthd(...CREATE_ROOM, '--passcode', '493817')).code).toBe(2);
  });

  it('shares with one user, until a day', async () => {
    await createUser(daemon.home, { name: 'Grace' });
    const answer = await daemon.hearthd(...CREATE_ROOM, '--user', 'grace@example.org', '--expires', '2999-01-31');
    expect(answer.err).toContain('grace@example.org');
    expect(rows()).toMatchObject([
      {
        accessType: 'user',
        userEmail: 'grace@example.org',
        accessSchedule: { expires_at: '2999-01-31T00:00:00.000Z' },
      },
    ]);
    expect((await daemon.hearthd(...CREATE_ROOM, '--user', 'nobody@example.org')).code).toBe(4);
  });

  it('changes a share by its name, and deletes it', async () => {
    await daemon.hearthd(...CREATE_ROOM, '--name', 'Guests', '--require-post', '--expires', '2d');
    expect((await daemon.hearthd('share', 'update', 'guests', '--role', 'view', '--always')).code).toBe(0);
    expect(rows()).toMatchObject([{ role: 'view', requirePost: true, accessSchedule: null }]);
    expect((await daemon.hearthd('share', 'update', 'guests', '--no-require-post')).code).toBe(0);
    expect(rows()).toMatchObject([{ role: 'view', requirePost: false }]);
    const schedule = '{"time_windows": [{"days": ["mon"], "start": "08:00", "end": "18:00"}]}';
    expect((await daemon.hearthd('share', 'update', 'guests', '--schedule', schedule)).code).toBe(0);
    expect((await daemon.hearthd('share', 'update', 'guests', '--schedule', '{"start": 1}')).code).toBe(2);
    expect((await daemon.hearthd('share', 'update', 'guests')).code).toBe(2);
    expect((await daemon.hearthd('share', 'delete', 'guests')).out).toBe(
      'Deleted the share of room Living Room (Guests).\n',
    );
    expect(rows()).toEqual([]);
    expect((await daemon.hearthd('share', 'delete', 'guests')).code).toBe(4);
  });

  it('draws the link as a QR code', async () => {
    await daemon.hearthd(...CREATE_ROOM, '--name', 'Guests');
    const { code, out } = await daemon.hearthd('share', 'qr', 'Guests');
    const lines = out.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(out).toMatch(/[▀▄█]/);
    expect(lines.at(-1)).toBe(`/s/${rows()[0]?.shareHash}`);
    expect(JSON.parse((await daemon.hearthd('share', 'qr', 'Guests', '--json')).out)).toEqual({
      shareUrl: `/s/${rows()[0]?.shareHash}`,
    });
  });

  it('lists what there is where a name is wrong', async () => {
    expect(await daemon.hearthd('share', 'create', 'shed', 'X', '--role', 'view')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Use one of: accessory, group, room'),
    });
    expect((await daemon.hearthd('share', 'create', 'room', 'Nowhere', '--role', 'view')).code).toBe(4);
    expect((await daemon.hearthd('share', 'create', 'room', 'Living Room', '--role', 'rule')).code).toBe(2);
  });
});
