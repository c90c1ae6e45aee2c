import type { HttpClient } from 'hap-controller';
import { afterEach, describe, expect, it } from 'vitest';
import { pairSetup } from '../../../src/drivers/hap/pairing/pair-setup.ts';
import { newControllerKeys } from '../../../src/drivers/hap/pairing/pair-setup-protocol.ts';
import { pairVerify } from '../../../src/drivers/hap/pairing/pair-verify.ts';
import { Connection } from '../../../src/drivers/hap/wire/connection.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createControllerKeys } from '../../support/accessories/identity.ts';
import { decodeTlv, encodeTlv, TLV } from '../../support/accessories/tlv.ts';
import { eventually } from '../../support-tests/eventually.ts';
import { RawClient } from '../../support-tests/raw-client.ts';
import { BridgeFixture, type BridgeOptions, LeapingClock } from './bridge-fixture.ts';

const opened: BridgeFixture[] = [];
const WRONG = '111-22-333';

async function start(options: BridgeOptions = {}): Promise<BridgeFixture> {
  const fixture = await BridgeFixture.start(options);
  opened.push(fixture);
  return fixture;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((fixture) => fixture.close()));
});

async function connect(fixture: BridgeFixture): Promise<Connection> {
  const connection = await Connection.open([{ host: '127.0.0.1', port: fixture.port }], { clock: systemClock });
  fixture.onClose(() => connection.close());
  return connection;
}

/** Our own controller, over a fresh connection for each attempt. */
function pairAsDriver(fixture: BridgeFixture, setupCode = fixture.identity.setupCode) {
  const saved: string[] = [];
  const recorder = {
    begin: () => void saved.push('begin'),
    complete: () => void saved.push('complete'),
    abandon: () => void saved.push('abandon'),
  };
  return pairSetup({
    connect: () => connect(fixture),
    ...{ deviceId: fixture.identity.deviceId, setupCode, featureFlags: 0, rememberedMethod: null, recorder },
    ...{ onProgress: () => {}, clock: systemClock },
  });
}

function idOf(client: HttpClient): string {
  return Buffer.from(client.getLongTermData()?.iOSDevicePairingID ?? '', 'hex').toString();
}

async function begin(connection: Connection, method = 0): Promise<Map<number, Buffer>> {
  const m1 = encodeTlv([
    [TLV.state, Buffer.of(1)],
    [TLV.method, Buffer.of(method)],
  ]);
  return decodeTlv(await connection.exchange('/pair-setup', m1));
}

async function guess(connection: Connection): Promise<Map<number, Buffer>> {
  const m3 = encodeTlv([
    [TLV.state, Buffer.of(3)],
    [TLV.publicKey, Buffer.alloc(384, 7)],
    [TLV.proof, Buffer.alloc(64)],
  ]);
  return decodeTlv(await connection.exchange('/pair-setup', m3));
}

describe('pair-setup', () => {
  it.each([0, 1])('pairs hap-controller, by method %i', async (method) => {
    const fixture = await start();
    const client = fixture.client();
    await client.pairSetup(fixture.identity.setupCode, method);
    expect(fixture.controllers.list()).toMatchObject([{ identifier: idOf(client), isAdmin: true }]);
    expect((await client.getAccessories()).accessories).toHaveLength(4);
    expect(fixture.server.connections()).toMatchObject([{ address: '127.0.0.1' }]);
  });

  it('pairs our own controller, which proves itself afterwards', async () => {
    const fixture = await start();
    const { keys } = await pairAsDriver(fixture);
    const connection = await connect(fixture);
    connection.secure(await pairVerify(connection.exchange, keys));
    expect((await connection.request({ method: 'GET', path: '/accessories' })).status).toBe(200);
  });

  it('refuses a wrong setup code and accepts the right one afterwards', async () => {
    const fixture = await start();
    await expect(fixture.client().pairSetup(WRONG)).rejects.toThrow('M4: Error: 2');
    expect(fixture.controllers.list()).toEqual([]);
    await fixture.pairedClient();
    expect(fixture.controllers.list()).toHaveLength(1);
  });

  it('refuses a second controller that pairs itself: an admin has to add it', async () => {
    const fixture = await start();
    await fixture.pairedClient();
    await expect(fixture.client().pairSetup(fixture.identity.setupCode)).rejects.toThrow('M2: Error: 6');
  });

  it('pairs one controller at a time', async () => {
    const fixture = await start();
    const first = await connect(fixture);
    expect((await begin(first)).get(TLV.state)).toEqual(Buffer.of(2));
    const second = await connect(fixture);
    expect((await begin(second)).get(TLV.error)).toEqual(Buffer.of(7));
    first.close();
    await eventually(async () => (await begin(second)).get(TLV.error)).toBeUndefined();
  });

  it('lets another controller begin when the first one has stopped', async () => {
    const clock = new LeapingClock();
    const fixture = await start({ clock });
    await begin(await connect(fixture));
    const second = await connect(fixture);
    expect((await begin(second)).get(TLV.error)).toEqual(Buffer.of(7));
    clock.leap(61_000);
    expect((await begin(second)).get(TLV.error)).toBeUndefined();
  });

  it('makes guesses wait, and ends them after 100', async () => {
    const clock = new LeapingClock();
    const fixture = await start({ clock });
    const connection = await connect(fixture);
    let waits = 0;
    for (let wrong = 0; wrong < 100; ) {
      const answer = await begin(connection);
      if (answer.get(TLV.error)?.[0] === 3) {
        const seconds = answer.get(8)?.[0] ?? 0;
        expect(seconds).toBeGreaterThan(0);
        clock.leap(seconds * 1_000);
        waits += 1;
        continue;
      }
      expect((await guess(connection)).get(TLV.error)).toEqual(Buffer.of(2));
      wrong += 1;
    }
    expect(waits).toBe(95);
    expect((await begin(connection)).get(TLV.error)).toEqual(Buffer.of(5));
    await expect(fixture.client().pairSetup(fixture.identity.setupCode)).rejects.toThrow('M2: Error: 5');
  });

  it('allows one guess for each challenge', async () => {
    const fixture = await start();
    const connection = await connect(fixture);
    await begin(connection);
    expect((await guess(connection)).get(TLV.error)).toEqual(Buffer.of(2));
    expect((await guess(connection)).get(TLV.error)).toEqual(Buffer.of(1));
  });

  it.each(['M1', 'M3'])('leaves nothing when the controller resets after %s', async (step) => {
    const fixture = await start();
    const connection = await connect(fixture);
    await begin(connection);
    if (step === 'M3') await guess(connection);
    connection.close();
    await eventually(() =>
      fixture
        .client()
        .pairSetup(fixture.identity.setupCode)
        .then(() => 'paired', String),
    ).toBe('paired');
    expect(fixture.controllers.list()).toHaveLength(1);
  });

  it.each([
    ['M2', 2],
    ['M4', 4],
  ])('leaves nothing when the connection ends on the way to %s, whose computation continues', async (_name, state) => {
    const fixture = await start();
    const connection = await connect(fixture);
    const begun = begin(connection).catch(() => undefined);
    if (state === 4) await begun;
    const late = state === 4 ? guess(connection).catch(() => undefined) : begun;
    connection.close();
    await late;
    await eventually(() => pairAsDriver(fixture).then(() => 'paired', String)).toBe('paired');
  });

  it('answers with an error when the controller can’t be stored, and pairs once it can', async () => {
    const fixture = await start();
    fixture.controllers.fault = new Error('disk full');
    await expect(fixture.client().pairSetup(fixture.identity.setupCode)).rejects.toThrow('M6: Error: 1');
    fixture.controllers.fault = undefined;
    await fixture.pairedClient();
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['garbage', Buffer.from('garbage that is no TLV')],
    ['a step that does not come next', Buffer.of(6, 1, 5)],
    ['a method that does not exist', Buffer.of(6, 1, 1, 0, 1, 9)],
  ])('answers %s with an error', async (_what, body) => {
    const fixture = await start();
    const connection = await connect(fixture);
    const answer = decodeTlv(await connection.exchange('/pair-setup', body));
    expect(answer.get(TLV.error)).toEqual(Buffer.of(1));
    await fixture.pairedClient();
  });
});

describe('pair-verify', () => {
  it('refuses a controller that it does not know, or that has another key', async () => {
    const fixture = await start();
    const known = fixture.addController();
    await expect(RawClient.open(fixture.port, createControllerKeys())).rejects.toThrow('pair-verify failed: 2');
    await expect(RawClient.open(fixture.port, createControllerKeys(known.id))).rejects.toThrow('pair-verify failed: 2');
    await fixture.raw(known);
    expect(fixture.server.connections()).toMatchObject([{ identifier: known.id }]);
    expect(fixture.controllers.seenBy).toEqual([known.id]);
  });

  it('verifies again on a connection that was verified', async () => {
    const fixture = await start();
    const { keys } = await pairAsDriver(fixture);
    const connection = await connect(fixture);
    for (let round = 0; round < 3; round += 1) connection.secure(await pairVerify(connection.exchange, keys));
    expect((await connection.request({ method: 'GET', path: '/accessories' })).status).toBe(200);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['M3 without M1', Buffer.of(6, 1, 3)],
    ['a key that is no key', Buffer.of(6, 1, 1, 3, 2, 1, 1)],
    ['a key that would reveal the secret', Buffer.concat([Buffer.of(6, 1, 1, 3, 32), Buffer.alloc(32)])],
  ])('answers %s with an error', async (_what, body) => {
    const fixture = await start();
    const connection = await connect(fixture);
    expect(decodeTlv(await connection.exchange('/pair-verify', body)).get(TLV.error)).toEqual(Buffer.of(1));
  });

  it('proves to the controller that it is the bridge that was paired', async () => {
    const fixture = await start();
    const { keys } = await pairAsDriver(fixture);
    const connection = await connect(fixture);
    const other = newControllerKeys(keys.deviceId).controllerPublicKey;
    await expect(pairVerify(connection.exchange, { ...keys, accessoryPublicKey: other })).rejects.toThrow('prove');
  });
});

describe('the controllers of a bridge', () => {
  it('are added, listed and removed by an admin', async () => {
    const fixture = await start();
    const admin = await fixture.pairedClient();
    const added = createControllerKeys();
    await admin.addPairing(added.id, added.publicKey, false);
    expect(fixture.controllers.list()).toMatchObject([{ isAdmin: true }, { identifier: added.id, isAdmin: false }]);
    const guest = fixture.knownClient(added);
    expect((await guest.getAccessories()).accessories).toHaveLength(4);
    await expect(guest.listPairings()).rejects.toThrow('Error: 2');
    await expect(guest.addPairing('X', added.publicKey, true)).rejects.toThrow('Error: 2');
    // An admin may change what one may do.
    await admin.addPairing(added.id, added.publicKey, true);
    expect(fixture.controllers.list()[1]?.isAdmin).toBe(true);
    await expect(admin.addPairing(added.id, createControllerKeys().publicKey, true)).rejects.toThrow('Error: 1');
    await guest.listPairings();
    await admin.removePairing(Buffer.from(added.id));
    await eventually(() => fixture.server.connections().map(({ identifier }) => identifier)).not.toContain(added.id);
    await expect(RawClient.open(fixture.port, added)).rejects.toThrow('pair-verify failed: 2');
  });

  it('are all removed with the last admin, whose answer still arrives; the bridge can be paired then', async () => {
    const fixture = await start();
    const admin = await fixture.pairedClient();
    const guest = createControllerKeys();
    await admin.addPairing(guest.id, guest.publicKey, false);
    const guestClient = await fixture.raw(guest);
    await admin.removePairing(Buffer.from(idOf(admin)));
    expect(fixture.controllers.list()).toEqual([]);
    await eventually(() => guestClient.closed).toBe(true);
    await eventually(() => fixture.server.connections()).toEqual([]);
    await fixture.pairedClient();
  });

  it('lose their connections when they are removed from the outside', async () => {
    const fixture = await start();
    const [stays, goes] = [await fixture.raw(), await fixture.raw(fixture.addController({ id: 'GOES' }))];
    fixture.controllers.remove('GOES');
    fixture.server.controllersChanged();
    await eventually(() => goes.closed).toBe(true);
    expect(stays.closed).toBe(false);
  });

  it('are as many as a home can have', async () => {
    const fixture = await start();
    const admin = await fixture.pairedClient();
    for (let n = 1; n < 100; n += 1) fixture.addController({ isAdmin: false });
    await expect(admin.addPairing('X', createControllerKeys().publicKey, false)).rejects.toThrow('Error: 4');
  });
});

describe('an unpaired bridge', () => {
  it('identifies itself; a paired one does not', async () => {
    const fixture = await start();
    await fixture.client().identify();
    expect(fixture.content.identified).toEqual(['1']);
    fixture.addController();
    await expect(fixture.client().identify()).rejects.toThrow('400');
    expect(fixture.content.identified).toEqual(['1']);
  });
});
