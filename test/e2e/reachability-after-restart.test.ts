/**
 * What a receiver of all events and a live stream receive about reachability when the relay restarts, with real
 * devices.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { EventStreamClient } from '../support/event-stream.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

/** Longer than a server may be away before it counts as such. */
const GRACE_MS = 17_000;

let directory: TempDirectory;
let relay: E2eRelay;
let devices: readonly [RawAccessory, RawAccessory];
let receiver: Server;
const received: { type: string; data: { accessoryName: string; isReachable: boolean } }[] = [];

const start = (name: string) =>
  startRawAccessory({ database: [lampAccessory(name)], mdns: false, name, paired: [KNOWN_CONTROLLER] });

beforeAll(async () => {
  directory = createTempDirectory('reachability');
  receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { type, data } = JSON.parse(Buffer.concat(parts).toString());
      received.push({ type, data });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  devices = [await start('Lamp'), await start('Other Lamp')];
  sharePairings(directory, devices);
  relay = await E2eRelay.start({ directory, config: { webhooksAllowLoopback: true } });
  await connected(devices);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { status } = await relay.asSystem('POST', '/rest/webhooks', { name: 'All', url, eventTypes: ['*'] });
  expect(status).toBe(200);
});

afterAll(async () => {
  await relay.stop();
  await Promise.all(devices.map((device) => device.stop()));
  await new Promise((resolve) => receiver.close(resolve));
  directory.remove();
});

const connected = (all: readonly RawAccessory[]) =>
  Promise.all(all.map(({ deviceId }) => relay.untilStatus(deviceId, 'connected')));
const ofReachability = () =>
  received
    .filter(({ type }) => type === 'accessory.reachability_changed')
    .map(({ data }) => `${data.accessoryName} ${data.isReachable}`);

it('a restart announces no reachability, and one change of a device that went away meanwhile', async () => {
  await relay.stop();
  await relay.start();
  const stream = new EventStreamClient(
    await fetch(`${relay.url}/events`, { headers: { Authorization: `Bearer ${relay.token}` } }),
  );
  await connected(devices);
  await relay.set('Lamp', { on: true });
  await eventually(() => received.some(({ type }) => type === 'state.changed'), 'the webhook to be told');
  expect(received.some(({ type }) => type === 'relay.started')).toBe(true);
  expect(ofReachability()).toEqual([]);
  expect(stream.received('accessory.reachability_changed')).toEqual([]);
  await stream.cancel();

  await relay.stop();
  await devices[1].stop();
  await relay.start();
  await connected([devices[0]]);
  expect((await relay.accessory('Other Lamp')).isReachable).toBe(true);
  await eventually(() => ofReachability().length > 0, 'the loss to be told', GRACE_MS * 5);
  expect(ofReachability()).toEqual(['Other Lamp false']);
  expect((await relay.accessory('Other Lamp')).isReachable).toBe(false);
});
