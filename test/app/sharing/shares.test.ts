/** Managing shares and opening them by their links, over a real home, real accounts and a real database. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/app/access/caller.ts';
import type { NewShare } from '../../../src/contract/shares.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { anonymousCaller, createUser } from '../../support/test-users.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PUBLIC = { accessType: 'public', role: 'view' } as const;

let home: TestHome;
beforeEach(() => {
  home = createTestHome({ sample: true });
});
afterEach(() => home.close());

const roomOf = (name: string): string => home.named(name).roomId;
const guest = anonymousCaller();

/** Shares the living room by default. */
async function share(input: Partial<NewShare> = {}, caller: Caller = systemCaller) {
  return home.shares.create(caller, { entityType: 'room', entityId: roomOf('Lamp'), ...PUBLIC, ...input });
}

const open = (hash: string, passcode?: string, caller = guest) => home.shares.open(caller, { hash, passcode });
const refused = (code: string, message?: string) => expect.objectContaining({ code, ...(message && { message }) });

describe('managing shares', () => {
  it('is for owners and admins of the home; who may only control or view it is refused, all others find nothing', async () => {
    const { share: row } = await share();
    const ask = (caller: Caller) => [
      () => home.shares.list(caller, 'room', roomOf('Lamp')),
      () => home.shares.info(caller, 'room', roomOf('Lamp')),
      () => home.shares.delete(caller, row.id),
    ];
    for (const role of ['control', 'view'] as const) {
      const { caller } = await createUser(home, { name: role, role });
      for (const act of ask(caller)) expect(act).toThrow(refused('insufficient_permissions'));
      await expect(share({ entityId: roomOf('Front Door') }, caller)).rejects.toEqual(
        refused('insufficient_permissions'),
      );
      await expect(home.shares.update(caller, row.id, { role: 'control' })).rejects.toEqual(
        refused('insufficient_permissions'),
      );
    }
    const { caller: anonymous } = await createUser(home, { name: 'Nobody' });
    for (const stranger of [anonymous, guest]) {
      const [list, info, remove] = ask(stranger);
      expect(list).toThrow(refused('room_not_found'));
      expect(info).toThrow(refused('room_not_found'));
      expect(remove).toThrow(refused('share_not_found'));
      await expect(home.shares.update(stranger, row.id, {})).rejects.toEqual(refused('share_not_found'));
    }
    const { caller: admin } = await createUser(home, { name: 'Admin', role: 'admin' });
    expect(home.shares.list(admin, 'room', roomOf('Lamp'))).toMatchObject([{ id: row.id }]);
  });

  it('is not for tokens that are limited to control', async () => {
    await expect(share({}, tokenCaller({ [home.home.id]: 'control' }))).rejects.toEqual(
      refused('insufficient_permissions'),
    );
  });

  it('shows the row to its managers without anything of the passcode', async () => {
    const { share: row, shareHash } = await share({ accessType: 'passcode', passcode: '493817', name: 'Guests' });
    expect(row).toEqual({
      id: expect.any(String),
      entityType: 'room',
      entityId: roomOf('Lamp'),
      entityName: 'Living Room',
      homeId: home.home.id,
      accessType: 'passcode',
      role: 'view',
      name: 'Guests',
      hasPasscode: true,
      userId: null,
      userEmail: null,
      accessSchedule: null,
      requirePost: false,
      createdAt: home.clock.now(),
      shareHash,
    });
    const stored = JSON.stringify(home.database.prepare('SELECT * FROM shares').all());
    expect(stored).toContain('$argon2id$');
    expect(stored).not.toContain('493817');
  });

  it('takes "group" for a service group', async () => {
    const group = home.serviceGroups.create(systemCaller, {
      homeId: home.home.id,
      name: 'Lamps',
      accessoryIds: [home.named('Lamp').id],
    });
    const { share: row } = await share({ entityType: 'group', entityId: group.id.toUpperCase() });
    expect(row).toMatchObject({ entityType: 'accessory_group', entityId: group.id, entityName: 'Lamps' });
    expect(home.shares.list(systemCaller, 'accessory_group', group.id)).toHaveLength(1);
  });

  it.each([
    ['an entity type', { entityType: 'planet' }, 'entityType'],
    ['an access type', { accessType: 'member' }, 'accessType'],
    ['a role', { role: 'owner' }, 'role'],
    ['a short passcode', { accessType: 'passcode', passcode: '123' }, 'passcode'],
    ['a long passcode', { accessType: 'passcode', passcode: 'x'.repeat(129) }, 'passcode'],
    ['no passcode', { accessType: 'passcode' }, 'passcode'],
    ['a passcode that would protect nothing', { passcode: '493817' }, 'passcode'],
    ['a user where everyone may', { userEmail: 'ann@example.org' }, 'userEmail'],
    ['no user', { accessType: 'user' }, 'userEmail'],
    ['a schedule', { accessSchedule: '{"expires": 1}' }, 'accessSchedule.expires'],
    ['a flag', { requirePost: 'yes' }, 'requirePost'],
  ])('refuses %s that is wrong, and names the field', async (_, input, field) => {
    await expect(share(input as object)).rejects.toMatchObject({ code: 'invalid_value', details: { field } });
    expect(home.shares.mine(systemCaller)).toEqual([]);
  });

  it('finds an entity in its own home only', async () => {
    const other = home.homes.create(systemCaller, { name: 'Cabin' });
    await expect(share({ homeId: other.id })).rejects.toEqual(refused('room_not_found'));
    await expect(share({ homeId: home.home.id.toUpperCase() })).resolves.toBeDefined();
    await expect(share({ entityId: '00000000-0000-4000-8000-000000000000' })).rejects.toEqual(
      refused('room_not_found'),
    );
  });

  it('shares in one role with everyone once, with one user once, and by passcode five times', async () => {
    const { user } = await createUser(home, { name: 'Grace' });
    await share();
    await expect(share()).rejects.toEqual(refused('conflict'));
    const { share: second } = await share({ role: 'control' });
    await expect(home.shares.update(systemCaller, second.id, { role: 'view' })).rejects.toEqual(refused('conflict'));
    await share({ accessType: 'user', userEmail: user.email });
    await expect(share({ accessType: 'user', userEmail: user.email.toUpperCase() })).rejects.toEqual(
      refused('conflict'),
    );
    for (let n = 0; n < 5; n++) await share({ accessType: 'passcode', passcode: `code ${n}` });
    await expect(share({ accessType: 'passcode', passcode: 'code 6' })).rejects.toEqual(refused('conflict'));
  });

  it('changes what is given and keeps the rest', async () => {
    const { share: row } = await share({ name: 'Guests', accessSchedule: { expires_at: '2999-01-01' } });
    expect(
      await home.shares.update(systemCaller, row.id.toUpperCase(), { role: 'control', requirePost: true }),
    ).toEqual({
      ...row,
      role: 'control',
      requirePost: true,
    });
    expect(await home.shares.update(systemCaller, row.id, { name: null, accessSchedule: null })).toMatchObject({
      name: null,
      accessSchedule: null,
      role: 'control',
    });
    await expect(home.shares.update(systemCaller, row.id, { passcode: '493817' })).rejects.toEqual(
      refused('invalid_value'),
    );
  });

  it('shows each user their own shares, and the command line all', async () => {
    const { caller: ann } = await createUser(home, { name: 'Ann', role: 'admin' });
    const { caller: bob } = await createUser(home, { name: 'Bob', role: 'admin' });
    const { share: anns } = await share({}, ann);
    const { share: ours } = await share({ entityId: roomOf('Front Door') });
    expect(home.shares.mine(ann).map(({ id }) => id)).toEqual([anns.id]);
    expect(home.shares.mine(bob)).toEqual([]);
    expect(home.shares.mine(systemCaller).map(({ id }) => id)).toEqual([anns.id, ours.id]);
    expect(() => home.shares.mine(guest)).toThrow(refused('insufficient_permissions'));
    const { homeId } = home.named('Lamp');
    expect(home.shares.ofHome(bob, homeId).map(({ id }) => id)).toEqual([anns.id, ours.id]);
    expect(() => home.shares.ofHome(guest, homeId)).toThrow(refused('home_not_found'));
  });

  it('sums up how an entity is shared', async () => {
    const nothing = home.shares.info(systemCaller, 'room', roomOf('Lamp'));
    expect(nothing).toEqual({
      isShared: false,
      hasPublic: false,
      publicRole: null,
      passcodeCount: 0,
      userCount: 0,
      shareHash: null,
      roomCount: 1,
      accessoryCount: 3,
      groupCount: 0,
    });
    const { user } = await createUser(home, { name: 'Grace' });
    const { shareHash } = await share();
    await share({ role: 'control' });
    await share({ accessType: 'passcode', passcode: '493817' });
    await share({ accessType: 'user', userEmail: user.email });
    expect(home.shares.info(systemCaller, 'room', roomOf('Lamp'))).toEqual({
      ...nothing,
      isShared: true,
      hasPublic: true,
      publicRole: 'control',
      passcodeCount: 1,
      userCount: 1,
      shareHash,
    });
  });
});

describe('a link', () => {
  it('is one for all rows of an entity, and dead for good once the last of them is gone', async () => {
    const { share: first, shareHash } = await share();
    const { share: second, shareHash: same } = await share({ role: 'control' });
    expect(same).toBe(shareHash);
    home.shares.delete(systemCaller, first.id);
    expect(await open(shareHash)).toMatchObject({ role: 'control' });
    home.shares.delete(systemCaller, second.id);
    await expect(open(shareHash)).rejects.toEqual(refused('share_not_found'));
    const { shareHash: another } = await share();
    expect(another).not.toBe(shareHash);
    await expect(open(shareHash)).rejects.toEqual(refused('share_not_found'));
    expect(await open(another)).toMatchObject({ role: 'view' });
  });

  it('does not come back to life with an entity that does, however its rows went', async () => {
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    const { shareHash } = await home.shares.create(systemCaller, { entityType: 'home', entityId: cabin.id, ...PUBLIC });
    const { user, caller } = await createUser(home, { name: 'Ann', role: 'admin' });
    const { shareHash: anns } = await share({}, caller);
    home.homes.delete(systemCaller, cabin.id);
    home.users.delete(systemCaller, user.id);
    expect(home.shares.mine(systemCaller)).toEqual([]);
    for (const hash of [shareHash, anns]) await expect(open(hash)).rejects.toEqual(refused('share_not_found'));
    expect((await share()).shareHash).not.toBe(anns);
  });

  it('answers what is no link, what was forged and what was deleted with the same words', async () => {
    const { share: row, shareHash } = await share();
    const forged = `${shareHash.slice(0, 30)}${shareHash.slice(30).split('').reverse().join('')}`;
    home.shares.delete(systemCaller, row.id);
    for (const hash of ['', 'x', shareHash, forged, `${shareHash}x`, 'é'.repeat(46), '\0']) {
      await expect(open(hash)).rejects.toEqual(refused('share_not_found', 'Share not found'));
      expect(() => home.shares.describe(guest, hash)).toThrow(refused('share_not_found', 'Share not found'));
    }
  });

  it('is dead while its creator may not share any more, and while the entity is away', async () => {
    const { user, caller } = await createUser(home, { name: 'Ann', role: 'admin' });
    const { shareHash } = await share({}, caller);
    expect(await open(shareHash)).toMatchObject({ role: 'view' });
    home.members.setRole(systemCaller, { homeId: home.home.id, memberId: user.id, role: 'control' });
    await expect(open(shareHash)).rejects.toEqual(refused('share_not_found'));
    home.members.setRole(systemCaller, { homeId: home.home.id, memberId: user.id, role: 'admin' });
    expect(await open(shareHash)).toMatchObject({ role: 'view' });
    home.rooms.delete(systemCaller, roomOf('Lamp'));
    await expect(open(shareHash)).rejects.toEqual(refused('share_not_found'));
  });

  it('loses its rows in the night after its entity is gone', async () => {
    const { share: kept } = await share({ entityId: roomOf('Front Door') });
    await share();
    home.rooms.delete(systemCaller, roomOf('Lamp'));
    expect(home.shares.mine(systemCaller)).toHaveLength(2);
    home.shares.sweep();
    expect(home.shares.mine(systemCaller).map(({ id }) => id)).toEqual([kept.id]);
  });
});

describe('what a link gives', () => {
  it('is the best of the rows that apply: everyone, a passcode, a user', async () => {
    const { user, caller } = await createUser(home, { name: 'Grace' });
    const { caller: other } = await createUser(home, { name: 'Other' });
    const { shareHash } = await share();
    await share({ accessType: 'passcode', passcode: '493817', role: 'control' });
    expect(await open(shareHash)).toMatchObject({ role: 'view', passcode: 'none', canUpgradeWithPasscode: true });
    expect(await open(shareHash, '')).toMatchObject({ role: 'view', passcode: 'none' });
    expect(await open(shareHash, '493817')).toMatchObject({
      role: 'control',
      passcode: 'accepted',
      canUpgradeWithPasscode: false,
    });
    expect(await open(shareHash, '000000')).toMatchObject({ role: 'view', passcode: 'wrong' });
    await share({ accessType: 'user', userEmail: user.email, role: 'control' });
    expect(await open(shareHash, undefined, caller)).toMatchObject({ role: 'control' });
    expect(await open(shareHash, undefined, other)).toMatchObject({ role: 'view' });
  });

  it('ends with the last row that gives it, or not at all', async () => {
    const { shareHash } = await share({
      role: 'control',
      accessSchedule: { expires_at: '2099-01-02T10:00', timezone: 'Europe/Berlin' },
    });
    const end = { at: Date.UTC(2099, 0, 2, 9), zone: 'Europe/Berlin' };
    expect(await open(shareHash)).toMatchObject({ openUntil: end });
    const later = { expires_at: '2099-01-03T10:00:00Z', timezone: 'Europe/Berlin' };
    await share({ accessType: 'passcode', passcode: '493817', role: 'control', accessSchedule: later });
    expect(await open(shareHash)).toMatchObject({ openUntil: end });
    expect(await open(shareHash, '493817')).toMatchObject({ openUntil: { at: Date.UTC(2099, 0, 3, 10) } });
    await share({ accessType: 'passcode', passcode: '170625', role: 'control' });
    expect(await open(shareHash, '170625')).toMatchObject({ openUntil: null });
  });

  it('is nothing without the passcode where there is nothing else', async () => {
    const { shareHash } = await share({ accessType: 'passcode', passcode: 'caf\u00e9 43' });
    expect(home.shares.describe(guest, shareHash)).toMatchObject({
      role: null,
      requiresPasscode: true,
      isOpenNow: true,
    });
    await expect(open(shareHash)).rejects.toEqual(refused('passcode_required', 'This share needs a passcode.'));
    await expect(open(shareHash, 'cafe 43')).rejects.toEqual(refused('passcode_required', 'Wrong passcode.'));
    expect(await open(shareHash, 'cafe\u0301 43')).toMatchObject({ role: 'view', passcode: 'accepted' });
  });

  it('is that user’s alone where it is for a user, and takes a session: neither a token nor an app is a person', async () => {
    const { user, caller } = await createUser(home, { name: 'Grace' });
    const { caller: other } = await createUser(home, { name: 'Other' });
    const { shareHash } = await share({ accessType: 'user', userEmail: user.email, role: 'control' });
    expect(home.shares.describe(guest, shareHash)).toMatchObject({
      role: null,
      requiresSignIn: true,
      requiresPasscode: false,
    });
    expect(home.shares.describe(caller, shareHash)).toMatchObject({ role: 'control', requiresSignIn: false });
    expect(await open(shareHash, undefined, caller)).toMatchObject({ role: 'control' });
    await expect(open(shareHash)).rejects.toEqual(refused('insufficient_permissions', 'Sign in to open this share.'));
    await expect(open(shareHash, undefined, other)).rejects.toEqual(refused('insufficient_permissions'));
    const token: Caller = {
      ...guest,
      principal: { kind: 'access_token', tokenId: 't', homePermissions: null, makerId: user.id },
    };
    await expect(open(shareHash, undefined, token)).rejects.toEqual(refused('insufficient_permissions'));
  });

  it('is nothing outside its schedule, for every share, and a clock that is set back extends nothing', async () => {
    const ends = home.clock.now() + DAY_MS;
    const { shareHash } = await share({ accessSchedule: { expires_at: new Date(ends).toISOString() } });
    const opened = await open(shareHash);
    await home.clock.advance(DAY_MS);
    await expect(open(shareHash)).rejects.toEqual(refused('insufficient_permissions', 'This share is not open now.'));
    expect(home.shares.describe(guest, shareHash)).toMatchObject({ role: null, isOpenNow: false });
    expect(home.shares.reopen(opened)).toBeUndefined();
    home.clock.jumpWallClock(-2 * DAY_MS);
    await expect(open(shareHash)).rejects.toEqual(refused('insufficient_permissions'));
  });

  it('hides whether a passcode is right while the share is closed, and counts no try', async () => {
    const { shareHash } = await share({
      accessType: 'passcode',
      passcode: '493817',
      accessSchedule: { starts_at: '2999-01-01' },
    });
    for (let n = 0; n < 10; n++) {
      await expect(open(shareHash, n === 9 ? '493817' : 'wrong')).rejects.toEqual(
        refused('insufficient_permissions', 'This share is not open now.'),
      );
    }
  });

  it('asks for POST only if every row that lets control requires it', async () => {
    const { shareHash } = await share({ role: 'control', requirePost: true });
    expect(await open(shareHash)).toMatchObject({ requirePost: true });
    await share({ accessType: 'passcode', passcode: '493817', role: 'control' });
    expect(await open(shareHash)).toMatchObject({ requirePost: true });
    expect(await open(shareHash, '493817')).toMatchObject({ requirePost: false });
  });

  it('allows GET for what is guarded only if its managers allow it', async () => {
    const { shareHash } = await share({ role: 'control' });
    expect(await open(shareHash)).toMatchObject({ requirePost: false, allowGet: false });
    const { shareHash: other } = await share({ entityType: 'home', entityId: home.home.id, role: 'control' });
    expect(await open(other)).toMatchObject({ allowGet: false });
    await share({
      entityType: 'home',
      entityId: home.home.id,
      accessType: 'passcode',
      passcode: '493817',
      role: 'control',
      requirePost: false,
    });
    expect(await open(other, '493817')).toMatchObject({ requirePost: false, allowGet: true });
  });

  it('has a name and an id for the relay while it shares something', async () => {
    const { share: row, shareHash } = await share({});
    expect(home.shares.sharedThing(shareHash)).toEqual({ id: expect.any(String), name: 'Living Room' });
    home.shares.delete(systemCaller, row.id);
    expect(home.shares.sharedThing(shareHash)).toBeUndefined();
  });
});

describe('a share that stays open', () => {
  it('ends when its row is deleted, its passcode is changed, or its user signs out', async () => {
    const { user, caller } = await createUser(home, { name: 'Grace' });
    const { share: byCode, shareHash } = await share({ accessType: 'passcode', passcode: '493817' });
    const { share: byUser } = await share({ accessType: 'user', userEmail: user.email });
    const withCode = await open(shareHash, '493817');
    const asUser = await open(shareHash, undefined, caller);
    expect(home.shares.reopen(withCode)).toMatchObject({ role: 'view', hash: shareHash });
    await home.shares.update(systemCaller, byCode.id, { passcode: '715533' });
    expect(home.shares.reopen(withCode)).toBeUndefined();
    expect(home.shares.reopen(asUser)).toMatchObject({ role: 'view' });
    await home.shares.update(systemCaller, byUser.id, { role: 'control' });
    expect(home.shares.reopen(asUser)).toMatchObject({ role: 'control' });
    home.sessions.endAll(caller, {});
    expect(home.shares.reopen(asUser)).toBeUndefined();
  });

  it('falls back to what everyone has when its passcode goes', async () => {
    const { shareHash } = await share();
    const { share: row } = await share({ accessType: 'passcode', passcode: '493817', role: 'control' });
    const opened = await open(shareHash, '493817');
    home.shares.delete(systemCaller, row.id);
    expect(home.shares.reopen(opened)).toMatchObject({ role: 'view' });
  });
});

describe('passcodes', () => {
  it('are guessed at five times in 15 minutes from one address, and right ones do not count', async () => {
    const { shareHash } = await share({ accessType: 'passcode', passcode: '493817' });
    for (let n = 0; n < 20; n++) await open(shareHash, '493817');
    for (let n = 0; n < 5; n++) await expect(open(shareHash, `no ${n}`)).rejects.toEqual(refused('passcode_required'));
    await expect(open(shareHash, '493817')).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: 900 },
    });
    // Without one there is nothing to guess, and from elsewhere it is another’s guess.
    await expect(open(shareHash)).rejects.toEqual(refused('passcode_required'));
    expect(await open(shareHash, '493817', anonymousCaller('192.0.2.9'))).toMatchObject({ role: 'view' });
    await home.clock.advance(15 * MINUTE_MS + 1);
    expect(await open(shareHash, '493817')).toMatchObject({ role: 'view' });
  });

  it('of shares that control have at least six characters, when they are made and when they are raised', async () => {
    const short = { accessType: 'passcode', passcode: '4938' };
    await expect(share({ ...short, role: 'control' })).rejects.toMatchObject({
      code: 'invalid_value',
      message: 'Invalid value for passcode: a share that may control takes a passcode of 6 to 128 characters.',
    });
    const { share: row } = await share({ ...short, role: 'view' });
    const update = (changes: object) => home.shares.update(systemCaller, row.id, changes);
    await expect(update({ role: 'control' })).rejects.toEqual(refused('invalid_value'));
    await expect(update({ role: 'control', passcode: '49381' })).rejects.toEqual(refused('invalid_value'));
    expect(await update({ role: 'control', passcode: '493817' })).toMatchObject({ role: 'control' });
    await expect(update({ passcode: '4938' })).rejects.toEqual(refused('invalid_value'));
    const { share: long } = await share({ accessType: 'passcode', passcode: '493817', role: 'view' });
    expect(await home.shares.update(systemCaller, long.id, { role: 'control' })).toMatchObject({ role: 'control' });
  });

  it('that are short already go on, of shares that control too', async () => {
    const { share: row, shareHash } = await share({ accessType: 'passcode', passcode: '4938' });
    home.database.prepare("UPDATE shares SET role = 'control' WHERE id = ?").run(row.id);
    expect(await open(shareHash, '4938')).toMatchObject({ role: 'control' });
    expect(await home.shares.update(systemCaller, row.id, { name: 'Guests' })).toMatchObject({ role: 'control' });
  });

  it('a right passcode clears only its own count of tries', async () => {
    const { shareHash } = await share({ accessType: 'passcode', passcode: 'guests', role: 'view' });
    await share({ accessType: 'passcode', passcode: 'family 493817', role: 'control' });
    for (let n = 0; n < 4; n++) await expect(open(shareHash, `no ${n}`)).rejects.toEqual(refused('passcode_required'));
    expect(await open(shareHash, 'guests')).toMatchObject({ role: 'view' });
    await expect(open(shareHash, 'no 5')).rejects.toEqual(refused('passcode_required'));
    // The guests' count began again, that of the family is used up.
    await expect(open(shareHash, 'family 493817')).rejects.toEqual(refused('rate_limited'));
    expect(await open(shareHash, 'guests')).toMatchObject({ role: 'view' });
  });

  it('are guessed at 25 times from everywhere together', async () => {
    const { shareHash } = await share({ accessType: 'passcode', passcode: '493817' });
    const from = (n: number): Caller => anonymousCaller(`2001:db8:${n.toString(16)}::1`);
    for (let n = 0; n < 25; n++)
      await expect(open(shareHash, 'wrong', from(n))).rejects.toEqual(refused('passcode_required'));
    await expect(open(shareHash, '493817', from(99))).rejects.toEqual(refused('rate_limited'));
  });

  it('count before they are computed: fifty at the same moment are five', async () => {
    const { shareHash } = await share({ accessType: 'passcode', passcode: '493817' });
    const codes = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        open(shareHash, `wrong ${n}`).catch((error: { code: string }) => error.code),
      ),
    );
    expect(codes.filter((code) => code === 'passcode_required')).toHaveLength(5);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(45);
  });

  it('are still counted after a restart, and their links still lead there', async () => {
    const directory = createTempDirectory('shares');
    const path = directory.file('relay.db');
    const before = createTestHome({ path, sample: true, clock: home.clock });
    const input = {
      entityType: 'home',
      entityId: before.home.id,
      accessType: 'passcode',
      role: 'view',
      passcode: '493817',
    };
    const { shareHash: hash } = await before.shares.create(systemCaller, input);
    for (let n = 0; n < 5; n++) await before.shares.open(guest, { hash, passcode: 'wrong' }).catch(() => undefined);
    // As good as a power cut.
    before.database.close();
    const after = createTestHome({ path, clock: home.clock });
    await expect(after.shares.open(guest, { hash, passcode: '493817' })).rejects.toEqual(refused('rate_limited'));
    await home.clock.advance(15 * MINUTE_MS + 1);
    expect(await after.shares.open(guest, { hash, passcode: '493817' })).toMatchObject({ role: 'view' });
    after.close();
    directory.remove();
  });
});
