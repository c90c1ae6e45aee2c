/** The PIN that a Matter publication asks for at locks. A real process and a real controller: `test/drivers/matter`. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PublicationChanges } from '../../../src/contract/publications.ts';
import type { MatterWriteResult } from '../../../src/home/matter-port.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { FakeMatterBridges } from '../../support/fake-matter-bridges.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { systemCaller, userCaller } from '../../support/test-home.ts';
import { openActiveHome } from '../activity/activity-fixture.ts';

const PIN = '482915';
const [LOCKED, UNLOCKED] = [1, 2];
const PAUSE_MS = 60_000;

let bridges: FakeMatterBridges;
let home: ReturnType<typeof openActiveHome>;
let id: string;

async function open(path?: string): Promise<void> {
  bridges = new FakeMatterBridges();
  const roles = {
    roleOf: (user: string) => (user === 'ada' ? ('admin' as const) : ('view' as const)),
    homesOf: () => [home.homeId],
  };
  home = openActiveHome({ roles, openMatterBridge: bridges.open, ...(path !== undefined && { path }) });
  await home.publications.servers.start();
}

async function close(): Promise<void> {
  await home.publications.servers.stop();
  home.close();
}

beforeEach(async () => {
  await open();
  ({ id } = await publish());
});
afterEach(close);

const publish = (input: object = {}) =>
  home.publications.create(systemCaller, { name: 'Hearth', kind: 'matter', homeId: home.homeId, ...input });
const update = (changes: PublicationChanges, caller = systemCaller) => home.publications.update(caller, id, changes);
const endpoint = () => bridges.last.named('Front Door');

function operate(lockState: number, pin?: string): Promise<MatterWriteResult> {
  const { key } = endpoint();
  return bridges.last.deps.content.write({ key, fabricIndex: 1, clusters: { doorLock: { lockState } }, pin });
}

/** What the device was asked for: 0 is open. */
const target = () => home.state.characteristic({ accessoryId: home.named('Front Door').id, iid: '10' })?.value;

async function refusalOf(act: () => Promise<unknown>): Promise<unknown> {
  return act().then(
    () => 'done',
    (error: unknown) =>
      error instanceof HearthError ? { code: error.code, field: error.details.field, message: error.message } : error,
  );
}

describe('a publication with a PIN for locks', () => {
  it('operates a lock only with the PIN', async () => {
    await update({ lockPin: PIN });
    expect(await operate(UNLOCKED)).toBe('no_pin');
    expect(await operate(UNLOCKED, '000000')).toBe('wrong_pin');
    expect(await operate(LOCKED)).toBe('no_pin');
    expect(target()).toBe(1);
    expect(await operate(UNLOCKED, PIN)).toBe('ok');
    expect(target()).toBe(0);
    expect(await operate(LOCKED, PIN)).toBe('ok');
    expect(target()).toBe(1);
  });

  it('leaves everything else as it is', async () => {
    await update({ lockPin: PIN });
    const { key } = bridges.last.named('Lamp');
    const write = { key, fabricIndex: 1, clusters: { onOff: { onOff: true } } };
    expect(await bridges.last.deps.content.write(write)).toBe('ok');
    expect(bridges.last.named('Lamp').clusters.doorLock).toBeUndefined();
  });

  it('asks for it in the features and attributes of the lock, whose number and ids stay', async () => {
    const plain = endpoint();
    expect(plain.features.doorLock).toEqual([]);
    expect(bridges.last.deps.content.configurationVersion()).toBe(1);
    const before = bridges.last.endpointChanges;
    await update({ lockPin: PIN });
    expect(bridges.last.endpointChanges).toBeGreaterThan(before);
    const asking = endpoint();
    expect(asking).toMatchObject({ key: plain.key, number: plain.number, uniqueId: plain.uniqueId });
    expect(asking.features.doorLock).toEqual(['PinCredential', 'CredentialOverTheAirAccess', 'User']);
    expect(asking.clusters.doorLock).toMatchObject({
      ...{ requirePinForRemoteOperation: true, minPinCodeLength: 4, maxPinCodeLength: 8 },
      ...{ wrongCodeEntryLimit: 5, userCodeTemporaryDisableTime: 60 },
    });
    expect(bridges.last.deps.content.configurationVersion()).toBe(2);
    await update({ lockPin: '0000' });
    expect(bridges.last.deps.content.configurationVersion()).toBe(2);
    expect(await update({ lockPin: null })).toMatchObject({ hasLockPin: false });
    expect(endpoint()).toEqual(plain);
    expect(bridges.last.deps.content.configurationVersion()).toBe(3);
    expect(await operate(UNLOCKED)).toBe('ok');
  });

  it('takes no PIN for a while after five wrong ones, each time for longer', async () => {
    await update({ lockPin: PIN });
    const wrong = () => operate(UNLOCKED, '000000');
    for (let count = 1; count <= 4; count += 1) expect(await wrong()).toBe('wrong_pin');
    expect(await wrong()).toBe('last_wrong_pin');
    expect(await operate(UNLOCKED, PIN)).toBe('pin_blocked');
    expect(target()).toBe(1);
    await home.clock.advance(PAUSE_MS);
    expect(await wrong()).toBe('last_wrong_pin');
    await home.clock.advance(PAUSE_MS);
    expect(await operate(UNLOCKED, PIN)).toBe('pin_blocked');
    await home.clock.advance(PAUSE_MS);
    expect(await operate(UNLOCKED, PIN)).toBe('ok');
    for (let count = 1; count <= 4; count += 1) expect(await wrong()).toBe('wrong_pin');
  });

  it('counts guesses that come at once one by one', async () => {
    await update({ lockPin: PIN });
    const results = await Promise.all(Array.from({ length: 12 }, () => operate(UNLOCKED, '000000')));
    expect(results.filter((one) => one === 'pin_blocked')).toHaveLength(7);
  });

  it('forgets wrong ones when it gets another PIN', async () => {
    await update({ lockPin: PIN });
    for (let count = 1; count <= 5; count += 1) await operate(UNLOCKED, '000000');
    await update({ lockPin: '1234' });
    expect(await operate(UNLOCKED, PIN)).toBe('wrong_pin');
    expect(await operate(UNLOCKED, '1234')).toBe('ok');
  });

  it('takes four to eight digits and nothing else, without repeating them', async () => {
    for (const lockPin of ['123', '123456789', '12a4', ' 1234', '١٢٣٤', '12\n34']) {
      const message = 'Invalid value for lockPin: a PIN for locks has 4 to 8 digits.';
      const refusal = { code: 'invalid_value', field: 'lockPin', message };
      expect(await refusalOf(() => update({ lockPin }))).toEqual(refusal);
      expect(await refusalOf(() => publish({ name: 'X', lockPin }))).toEqual(refusal);
    }
    expect(await refusalOf(() => publish({ name: 'X', lockPin: '' }))).toMatchObject({
      code: 'invalid_value',
      field: 'lockPin',
    });
    expect(await publish({ name: 'X', lockPin: '12345678' })).toMatchObject({ hasLockPin: true });
    expect(await update({ lockPin: '1234' })).toMatchObject({ hasLockPin: true });
    expect(await update({ lockPin: '' })).toMatchObject({ hasLockPin: false });
  });

  it('is over Matter alone', async () => {
    const refused = await refusalOf(() => publish({ name: 'X', kind: 'homekit', lockPin: PIN }));
    expect(refused).toMatchObject({ code: 'invalid_value', field: 'lockPin' });
    const homekit = await publish({ name: 'X', kind: 'homekit', lockPin: null });
    expect(homekit.hasLockPin).toBe(false);
  });

  it('is set by admins alone, and never shown', async () => {
    const shown = [
      await update({ lockPin: PIN }),
      home.publications.get(systemCaller, id),
      ...home.publications.list(systemCaller),
    ];
    for (const one of shown) {
      expect(one.hasLockPin).toBe(true);
      expect(JSON.stringify(one)).not.toMatch(/482915|argon|lockPin"/);
    }
    const refused = { code: 'insufficient_permissions' };
    expect(await refusalOf(() => update({ lockPin: '1234' }, userCaller('bob')))).toMatchObject(refused);
    expect(await refusalOf(async () => home.publications.get(userCaller('bob'), id))).toMatchObject(refused);
    expect(await operate(UNLOCKED, PIN)).toBe('ok');
    expect(await update({ lockPin: '1234' }, userCaller('ada'))).toMatchObject({ hasLockPin: true });
  });

  it('stores only a hash, and knows the PIN and its wrong ones after a restart and a reset', async () => {
    const directory = createTempDirectory('lock-pins');
    const path = directory.file('relay.db');
    await close();
    await open(path);
    ({ id } = await publish({ lockPin: PIN }));
    for (let count = 1; count <= 4; count += 1) await operate(UNLOCKED, '000000');
    const stored = home.database.prepare('SELECT lock_pin_hash FROM publications').pluck().all();
    expect(stored).toEqual([expect.stringMatching(/^\$argon2id\$/)]);
    await close();
    await open(path);
    expect(home.publications.get(systemCaller, id).hasLockPin).toBe(true);
    expect(await operate(UNLOCKED, '000000')).toBe('last_wrong_pin');
    await home.clock.advance(PAUSE_MS);
    await home.publications.reset(systemCaller, id);
    expect(await operate(UNLOCKED)).toBe('no_pin');
    expect(await operate(UNLOCKED, PIN)).toBe('ok');
    directory.remove();
  });

  it('opens nothing when its hash rotted', async () => {
    await update({ lockPin: PIN });
    home.database.prepare("UPDATE publications SET lock_pin_hash = 'rot'").run();
    await home.publications.servers.stop();
    home.publications.stop();
    home.publications.start();
    await home.publications.servers.start();
    expect(await operate(UNLOCKED, PIN)).not.toBe('ok');
    expect(target()).toBe(1);
  });

  it('shows in the activity who was refused, and why', async () => {
    await update({ lockPin: PIN });
    await operate(UNLOCKED);
    for (let count = 1; count <= 6; count += 1) await operate(UNLOCKED, '000000');
    expect(await home.lines({ kind: 'lock' })).toEqual([
      'Front Door pin_blocked: publication Hearth',
      ...Array.from({ length: 5 }, () => 'Front Door wrong_pin: publication Hearth'),
      'Front Door no_pin: publication Hearth',
    ]);
  });
});
