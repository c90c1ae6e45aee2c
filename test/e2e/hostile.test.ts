/**
 * An accessory that is an attacker: any of its attacks costs neither the process nor another client, and it may come
 * back in peace.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { ScriptedDiscovery } from '../support/scripted-discovery.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { hastyClock, settledMemory } from './chaos-fixture.ts';
import { HostileAccessory, type Malice } from './hostile-accessory.ts';

/** So many times faster pass deadlines and back-off: more attacks in less time. */
const HASTE = 5;
const MAX_MEMORY = 300e6;
/** What is left once it is over: caches, pools and what the collector spares. */
const MAX_MEMORY_KEPT = 150e6;
/** No other client may wait for long, on a machine that is busy with other things as well. */
const MAX_DURATION_MS = 30_000;

const TO_A_SESSION: readonly Malice[] = [
  'a body of a gigabyte',
  'seven megabytes of a body that stops there',
  'chunks without end',
  'an object without end',
  'a header without end',
  'blank lines without end',
  'provisional answers without end',
  'a byte a second',
  'a million services',
  'half a million accessories',
  'deep nesting',
  'megabytes of white space',
  'a string of backslashes',
  'a million numbers of many digits',
  'garbage after verify',
  'events by the hundred thousand',
  'events of a hundred thousand changes',
  'events that make no sense',
  'pairing answered with a gigabyte',
  'pairing answered with blank lines',
  'pairing answered with notifications',
];

const TO_A_PAIRING: readonly Malice[] = [
  'pairing answered with a gigabyte',
  'pairing answered with a key of sixty kilobytes',
  'pairing answered with a salt of sixty kilobytes',
  'pairing answered with ten thousand items',
  'pairing answered with a byte a second',
  'pairing answered with blank lines',
  'pairing answered with notifications',
];

const directory = createTempDirectory('hostile');
const discovery = new ScriptedDiscovery();
let relay: E2eRelay;
let hostile: HostileAccessory;
let stranger: HostileAccessory;
let bystander: RawAccessory;
let configNumber = 1;

beforeAll(async () => {
  [hostile, stranger, bystander] = await Promise.all([
    HostileAccessory.start([KNOWN_CONTROLLER]),
    HostileAccessory.start(),
    startRawAccessory({
      database: [lampAccessory('Bystander')],
      name: 'Bystander',
      paired: [KNOWN_CONTROLLER],
      mdns: false,
    }),
  ]);
  sharePairings(directory, [hostile, bystander]);
  discovery.announce({ deviceId: stranger.deviceId, port: stranger.port });
  relay = await E2eRelay.start({ directory, overrides: { discovery, clock: hastyClock(HASTE) } });
  await relay.untilStatus(hostile.deviceId, 'connected');
  await relay.untilStatus(bystander.deviceId, 'connected');
});

afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  await Promise.all([hostile.stop(), stranger.stop(), bystander.stop()]);
  directory.remove();
});

/** What others notice while an attack is under way. */
async function witness(attack: () => Promise<void>): Promise<void> {
  const before = settledMemory();
  const seen = { memory: before, slowest: 0 };
  let isOver = false;
  const others = (async () => {
    for (let turn = 1; !isOver; turn += 1) {
      const begun = performance.now();
      expect((await relay.get('/rest/homes')).status).toBe(200);
      const { body } = await relay.set('Bystander', { brightness: turn % 100 });
      expect(body).toMatchObject({ updated: 1, failed: 0 });
      seen.slowest = Math.max(seen.slowest, performance.now() - begun);
      seen.memory = Math.max(seen.memory, process.memoryUsage.rss());
      await delay(25);
    }
  })();
  try {
    await attack();
  } finally {
    isOver = true;
  }
  await others;
  expect(seen.slowest).toBeLessThan(MAX_DURATION_MS);
  expect(seen.memory - before).toBeLessThan(MAX_MEMORY);
}

/** A new `c#` makes the relay ask for the database. */
async function turn(malice: Malice | 'good'): Promise<void> {
  await hostile.turn(malice);
  configNumber += 1;
  discovery.announce({ deviceId: hostile.deviceId, port: hostile.port, configNumber });
}

describe('a paired accessory that turns', () => {
  it.each(TO_A_SESSION)('on us with %s harms nothing, and is driven again once it behaves', async (malice) => {
    await witness(async () => {
      await turn(malice);
      await eventually(async () => (await hostile.counts()).attacks > 0, 'an attack');
      await delay(500);
    });
    await turn('good');
    await relay.untilStatus(hostile.deviceId, 'connected');
    await eventually(
      async () => (await relay.set('Hostile', { brightness: 5 })).body.updated === 1,
      'it to be driven again',
    );
  });

  it('leaves nothing of that in memory or in the home', async () => {
    expect((await relay.get('/rest/accessories')).body).toHaveLength(2);
    const before = settledMemory();
    await witness(async () => {
      await turn('a million services');
      await delay(500);
    });
    await turn('good');
    await relay.untilStatus(hostile.deviceId, 'connected');
    expect(settledMemory() - before).toBeLessThan(MAX_MEMORY_KEPT);
  });
});

describe('an accessory that is to be paired', () => {
  it.each(TO_A_PAIRING)('%s is refused with a reason, harms nothing, and is paired once it behaves', async (malice) => {
    const pair = (): Promise<{ body: { code?: string; status?: string } }> =>
      relay.asSystem('POST', '/rest/pairings', { device: stranger.deviceId, setupCode: stranger.setupCode });
    await stranger.turn(malice);
    await witness(async () => {
      expect((await pair()).body.code).toBe('pairing_failed');
    });
    await stranger.turn('good');
    expect((await pair()).body.status).toBe('connected');
    await relay.asSystem('DELETE', `/rest/pairings/${stranger.deviceId}`);
  });
});
