/** What thousands of events and connections of controllers leave behind in a large published home: nothing. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ControllerKeys, createSigningKeys } from '../support/accessories/identity.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { informationService, lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { RawClient } from '../support-tests/raw-client.ts';
import { type PairingData, pairWith, readBridge, type ShownBridge } from './publishing-fixture.ts';

/** 400 lamps behind four bridges of their maker's. */
const MAKERS = 4;
const LAMPS = 100;
/** More of them with `npm run soak`. */
const [EVENTS, RECONNECTS] = process.env.HEARTHD_SOAK ? [10_000, 1_000] : [2_000, 150];
/** First rounds fill caches and compile code. */
const WARM_UP = 0.2;
const GROWTH_MIB = 6;

let directory: TempDirectory;
let relay: E2eRelay;
let makers: RawAccessory[];

beforeAll(async () => {
  directory = createTempDirectory('publishing-leaks');
  const database = [
    { aid: 1, services: [informationService('Maker', 'B-1', 'Bridge')] },
    ...Array.from({ length: LAMPS }, (_, index) => lampAccessory(`Lamp ${index + 1}`, index + 2)),
  ];
  const options = { database, paired: [KNOWN_CONTROLLER], mdns: false, keepLog: false };
  makers = await Promise.all(Array.from({ length: MAKERS }, () => startRawAccessory(options)));
  sharePairings(directory, makers);
  relay = await E2eRelay.start({ directory });
  for (const { deviceId } of makers) await relay.untilStatus(deviceId, 'connected');
});

afterAll(async () => {
  await relay.stop();
  await Promise.all(makers.map((maker) => maker.stop()));
  directory.remove();
});

/** Once everything that can be has been collected. */
function settledHeapMib(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** The keys of hap-controller, for a controller whose connections cost little. */
function keysOf({ iOSDevicePairingID, iOSDeviceLTSK }: PairingData): ControllerKeys {
  const seed = Buffer.from(iOSDeviceLTSK, 'hex').subarray(0, 32);
  return { id: Buffer.from(iOSDevicePairingID, 'hex').toString(), ...createSigningKeys(seed) };
}

async function subscribe(bridge: ShownBridge, pairing: PairingData): Promise<RawClient> {
  const { accessories } = await readBridge(bridge, pairing);
  const client = await RawClient.open(bridge.port, keysOf(pairing));
  const characteristics = accessories
    .filter(({ aid }) => aid !== 1)
    .map(({ aid, characteristics: all }) => ({
      aid,
      iid: all.find(({ type }) => /^0*25(-|$)/.test(type))?.iid,
      ev: true,
    }));
  client.send('PUT', '/characteristics', JSON.stringify({ characteristics }));
  await eventually(() => client.text.includes('HTTP/1.1 204'), 'the subscriptions');
  return client;
}

it(`is no larger after ${EVENTS} events and ${RECONNECTS} reconnects than before`, async () => {
  await relay.asSystem('POST', '/rest/publications', { name: 'Hearth', kind: 'homekit' });
  const bridges: readonly ShownBridge[] = (await relay.asSystem('GET', '/rest/publications')).body[0].bridges;
  expect(bridges).toHaveLength(3);
  const pairings: PairingData[] = [];
  for (const bridge of bridges) pairings.push(await pairWith(bridge));
  const clients = await Promise.all(bridges.map((bridge, index) => subscribe(bridge, pairings[index] as PairingData)));
  let received = 0;
  let sent = 0;
  let isOn = false;

  const change = async (events: number): Promise<void> => {
    for (let left = events; left > 0; left -= MAKERS * LAMPS) {
      isOn = !isOn;
      for (const maker of makers) for (let aid = 2; aid < LAMPS + 2; aid += 1) maker.set(aid, 9, isOn);
      sent += MAKERS * LAMPS;
      await eventually(() => {
        for (const client of clients) {
          received += client.text.split('"value":').length - 1;
          client.clear();
        }
        return received >= sent;
      }, `event ${sent} (${received} came)`);
    }
    expect(received).toBe(sent);
  };
  const reconnect = async (connections: number): Promise<void> => {
    for (let n = 0; n < connections; n += 1) {
      const [bridge, pairing] = [bridges[n % bridges.length], pairings[n % bridges.length]];
      if (!bridge || !pairing) throw new Error('There is no bridge');
      const client = await RawClient.open(bridge.port, keysOf(pairing));
      client.send('PUT', '/characteristics', '{"characteristics":[{"aid":2,"iid":9,"ev":true}]}');
      client.close();
    }
  };

  await change(EVENTS * WARM_UP);
  await reconnect(RECONNECTS * WARM_UP);
  const before = settledHeapMib();
  await change(EVENTS);
  await reconnect(RECONNECTS);
  await eventually(async () => {
    const { body } = await relay.asSystem('GET', '/rest/publications');
    return body[0].bridges.every(({ controllers }: ShownBridge) => controllers === 1);
  }, 'one controller a bridge');
  expect(settledHeapMib() - before, 'MiB more').toBeLessThan(GROWTH_MIB);
  for (const client of clients) client.close();
});
