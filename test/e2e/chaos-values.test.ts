/** What a user sees of accessories that report late, badly, partly or not at all. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import type { RawRequest } from '../support/accessories/raw-wire.ts';
import { bridgeDatabase, lampAccessory } from '../support/accessories/sample-databases.ts';
import type { AccessoryJson } from '../support/accessories/served-database.ts';
import { type Answer, E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { ScriptedDiscovery } from '../support/scripted-discovery.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { hastyClock, isCommand } from './chaos-fixture.ts';

/** So many times faster passes the relay's time. */
const HASTE = 10;
/** A minute, as the relay has it, and room for a busy machine. */
const MINUTE_MS = 60_000 / HASTE + 5_000;

const isSubscription = (request: RawRequest): boolean => request.body.includes('"ev"');
const isRead = (request: RawRequest): boolean => request.path.startsWith('/characteristics?');

interface Setup {
  readonly relay: E2eRelay;
  readonly device: RawAccessory;
  readonly discovery: ScriptedDiscovery;
}

function takesHalfAKilobyte(device: RawAccessory): void {
  device.ignoreRequestsOver = 500;
}

function takesEightIds(device: RawAccessory): void {
  const on = (request: RawRequest): boolean => isRead(request) && request.path.split(',').length > 8;
  device.play({ on, times: Number.POSITIVE_INFINITY, silence: true });
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A relay that is connected to one device. @param haste 1 for the machine's own time. */
async function setUp(
  database: readonly AccessoryJson[],
  haste = 1,
  prepare: (device: RawAccessory) => void = () => {},
): Promise<Setup> {
  const directory = createTempDirectory('values');
  const device = await startRawAccessory({ database, name: 'Device', paired: [KNOWN_CONTROLLER], mdns: false });
  prepare(device);
  sharePairings(directory, [device]);
  const discovery = new ScriptedDiscovery();
  discovery.announce({ deviceId: device.deviceId, port: device.port });
  const relay = await E2eRelay.start({ directory, overrides: { discovery, clock: hastyClock(haste) } });
  open.push(async () => {
    await relay[Symbol.asyncDispose]();
    await device.stop();
    directory.remove();
  });
  await relay.untilStatus(device.deviceId, 'connected');
  return { relay, device, discovery };
}

async function ids(relay: E2eRelay): Promise<ReadonlyMap<string, string>> {
  const { body } = await relay.get('/rest/accessories');
  return new Map(body.map(({ aid, id }: { aid: string; id: string }) => [aid, id]));
}

describe('notifications', () => {
  it('are received again at once after each of many drops in the middle of subscribing', async () => {
    const { relay, device } = await setUp([lampAccessory('Lamp')], 5);
    for (let round = 1; round <= 12; round += 1) {
      device.play({ on: isSubscription, cutAt: round % 3 === 0 ? 5 : 0 });
      device.disconnectAll();
      await eventually(() => device.subscriptions().has('1.10'), 'it to be subscribed to');
      await relay.untilStatus(device.deviceId, 'connected');
      const reads = device.requests.filter(isRead).length;
      device.set(1, 10, round);
      await relay.untilState('Lamp', 'brightness', round);
      expect(device.requests.filter(isRead).length, 'it was told, not asked').toBe(reads);
    }
  });

  it('that never come are made up for by asking, within a minute', async () => {
    const { relay, device } = await setUp([lampAccessory('Lamp')], HASTE);
    device.mute = true;
    for (const value of [11, 12]) {
      device.set(1, 10, value);
      await eventually(async () => (await relay.state('Lamp')).properties.brightness === value, `${value}`, MINUTE_MS);
    }
  });

  it('never make a value bounce that was just written and is carried out later', async () => {
    const { relay, device } = await setUp([lampAccessory('Lamp')]);
    // Confirms the write, answers with the old value for a while, then reports the new one.
    expect((await relay.set('Lamp', { on: true })).body.updated).toBe(1);
    device.setSilently(1, 9, false);
    const late = delay(600).then(() => device.set(1, 9, true));
    for (let look = 0; look < 20; look += 1) {
      expect((await relay.state('Lamp')).properties.on).toBe(true);
      await delay(50);
    }
    await late;
  });
});

describe('a device that chokes', () => {
  it.each([
    ['on requests of half a kilobyte', takesHalfAKilobyte],
    ['on more than eight ids', takesEightIds],
  ])(
    '%s is served whole all the same',
    async (_what, prepare) => {
      const { relay, device } = await setUp(bridgeDatabase(20), HASTE, prepare);
      const { body } = await relay.get('/rest/accessories');
      expect(body).toHaveLength(21);
      expect(body.every(({ reachable }: { reachable: boolean }) => reachable)).toBe(true);
      device.set(21, 10, 33);
      await relay.untilState('Lamp 20', 'brightness', 33);
      expect((await relay.set('Lamp 20', { brightness: 34 })).body.updated).toBe(1);
    },
    60_000,
  );
});

describe('an answer in an odd shape', () => {
  it.each([
    ['a status for all', 207, '{"status":-70402}'],
    ['junk between elements', 207, '{"characteristics":[true,null,{"aid":1,"iid":9,"status":0,"value":1}]}'],
    ['positive codes', 207, '{"characteristics":[{"aid":1,"iid":10,"status":70402}]}'],
    ['an unknown code', 207, '{"characteristics":[{"aid":1,"iid":10,"status":-99999}]}'],
    ['an empty list', 207, '{"characteristics":[]}'],
    ['no JSON', 200, '<html>'],
    ['nothing', 200, ''],
    ['a status 500', 500, ''],
  ])('to a read (%s) costs the session nothing, and what was known stays', async (_what, status, body) => {
    const { relay, device } = await setUp([lampAccessory('Lamp')], HASTE);
    device.set(1, 11, 123);
    await relay.untilState('Lamp', 'hue', 123);
    device.play({ on: isRead, status, body, times: 4 });
    // Two changes in one notification are settled by a read.
    device.setSilently(1, 10, 77);
    device.sendEvent([
      { aid: 1, iid: 10, value: 76 },
      { aid: 1, iid: 10, value: 77 },
    ]);
    await delay(50);
    device.clearTricks();
    expect((await relay.state('Lamp')).properties.hue).toBe(123);
    expect((await relay.set('Lamp', { brightness: 78 })).body.updated).toBe(1);
    await relay.untilState('Lamp', 'brightness', 78);
    expect(device.connections()).toBe(1);
  });

  it('to a write is an outcome, and the device is asked before anything is repeated', async () => {
    const { relay, device } = await setUp([lampAccessory('Lamp')], HASTE);
    for (const [index, body] of ['<html>', '{"status":"?"}', '[1,2', '{"characteristics":{}}'].entries()) {
      device.play({ on: isCommand, status: index % 2 === 0 ? 500 : 207, body });
      const answer: Answer = await relay.set('Lamp', { brightness: 40 + index });
      expect(answer.body.updated + answer.body.failed).toBe(1);
      expect(device.writes.filter(({ value }) => value === 40 + index)).toHaveLength(1);
    }
  });
});

describe('a bridge', () => {
  it('whose children come and go keeps the ids of the others, and gives each its own again', async () => {
    const all = bridgeDatabase(12);
    const { relay, device, discovery } = await setUp(all, HASTE);
    const before = await ids(relay);
    for (let round = 2; round <= 21; round += 1) {
      const gone = 2 + (round % 12);
      const isAway = round % 2 === 0;
      await device.setDatabase(isAway ? all.filter(({ aid }) => aid !== gone) : all, round);
      discovery.announce({ deviceId: device.deviceId, configNumber: round });
      await eventually(async () => {
        const { body } = await relay.get('/rest/accessories');
        const reachable = body.filter((one: Answer['body']) => one.reachable);
        return (
          reachable.length === (isAway ? 12 : 13) &&
          (!isAway || !reachable.some((one: Answer['body']) => one.aid === String(gone)))
        );
      }, 'the list to be right');
      for (const [aid, id] of await ids(relay)) expect(id).toBe(before.get(aid));
    }
  });

  it('two of whose children have one serial number and one name has two accessories', async () => {
    const twins = [lampAccessory('Twin', 2), lampAccessory('Twin', 3)];
    for (const { services } of twins)
      for (const one of services[0]?.characteristics ?? []) if (one.iid === 6) one.value = 'S-1';
    const { relay, device } = await setUp([bridgeDatabase(0)[0] as AccessoryJson, ...twins]);
    const twinIds = await ids(relay);
    expect(new Set(twinIds.values()).size).toBe(3);
    device.set(3, 10, 91);
    await eventually(async () => {
      const { body } = await relay.get('/rest/accessories');
      const values = body.map(
        (one: Answer['body']) =>
          one.services
            .flatMap((service: Answer['body']) => service.characteristics)
            .find((c: Answer['body']) => c.id.endsWith('.10'))?.value,
      );
      return JSON.stringify(values.filter((value: unknown) => value !== undefined).sort()) === '[50,91]';
    }, 'one of them to change');
  });
});
