import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { startReplayAccessory } from '../support/accessories/replay-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { ScriptedDiscovery } from '../support/scripted-discovery.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

const OTHER_ADDRESS = '127.0.0.2';

describe('an accessory that moves', () => {
  it('is found again after each restart on another port, announced over mDNS', async () => {
    using directory = createTempDirectory('ports');
    const accessory = await startReplayAccessory({
      database: [lampAccessory('Lamp')],
      name: 'Lamp',
      paired: [KNOWN_CONTROLLER],
    });
    sharePairings(directory, [accessory]);
    const relay = await E2eRelay.start({ directory });
    try {
      await relay.untilStatus(accessory.deviceId, 'connected');
      for (let n = 1; n <= 3; n += 1) {
        const before = accessory.port;
        await accessory.restart({ port: 0 });
        expect(accessory.port).not.toBe(before);
        await eventually(() => accessory.connections() === 1, 'a connection on the new port');
        await relay.untilStatus(accessory.deviceId, 'connected');
        expect((await relay.set('Lamp', { brightness: n })).body).toMatchObject({ updated: 1, failed: 0 });
        expect(accessory.get(1, 10)).toBe(n);
      }
    } finally {
      await relay[Symbol.asyncDispose]();
      await accessory.stop();
    }
  });
});

describe('addresses, as discovery reports them', () => {
  let directory: TempDirectory;
  let discovery: ScriptedDiscovery;
  let relay: E2eRelay;
  let first: RawAccessory;
  let second: RawAccessory;

  beforeEach(async () => {
    directory = createTempDirectory('addresses');
    discovery = new ScriptedDiscovery();
    const paired = [KNOWN_CONTROLLER];
    [first, second] = await Promise.all([
      startRawAccessory({ database: [lampAccessory('First')], name: 'First', paired, mdns: false }),
      startRawAccessory({ database: [lampAccessory('Second')], name: 'Second', paired, mdns: false }),
    ]);
    sharePairings(directory, [first, second]);
    discovery.announce({ deviceId: first.deviceId, name: 'First', addresses: ['127.0.0.1'], port: first.port });
    discovery.announce({ deviceId: second.deviceId, name: 'Second', addresses: ['127.0.0.1'], port: second.port });
    relay = await E2eRelay.start({ directory, overrides: { discovery } });
    await relay.untilStatus(first.deviceId, 'connected');
    await relay.untilStatus(second.deviceId, 'connected');
  });

  afterEach(async () => {
    await relay[Symbol.asyncDispose]();
    await Promise.all([first.stop(), second.stop()]);
    directory.remove();
  });

  it('follows a device to another address', async () => {
    const port = first.port;
    await first.goOffline();
    await first.restart({ port: 0 });
    const moved = await TcpProxy.start(() => first.port, OTHER_ADDRESS, port);
    try {
      discovery.announce({ deviceId: first.deviceId, addresses: [OTHER_ADDRESS], port });
      await relay.untilStatus(first.deviceId, 'connected');
      await eventually(
        async () => (await relay.pairing(first.deviceId)).address === `${OTHER_ADDRESS}:${port}`,
        'the move',
      );
      expect((await relay.set('First', { on: true })).body.failed).toBe(0);
      expect(first.get(1, 9)).toBeTruthy();
    } finally {
      await moved.stop();
    }
  });

  it('never sends a command to the wrong device, though their addresses were swapped', async () => {
    const ports = { first: first.port, second: second.port };
    await Promise.all([first.goOffline(), second.goOffline()]);
    await first.restart({ port: ports.second });
    await second.restart({ port: ports.first });
    const [a, b] = await Promise.all([relay.set('First', { brightness: 11 }), relay.set('Second', { brightness: 22 })]);
    expect(first.writes.every(({ value }) => value === 11)).toBe(true);
    expect(second.writes.every(({ value }) => value === 22)).toBe(true);
    expect(a.status).toBe(200);
    expect(b.status).toBe(200);
    discovery.announce({ deviceId: first.deviceId, port: first.port });
    discovery.announce({ deviceId: second.deviceId, port: second.port });
    await eventually(async () => (await relay.set('First', { brightness: 11 })).body.failed === 0, 'First to answer');
    await eventually(async () => (await relay.set('Second', { brightness: 22 })).body.failed === 0, 'Second to answer');
    expect(first.get(1, 10)).toBe(11);
    expect(second.get(1, 10)).toBe(22);
  });

  it('tries every address, link-local ones without a zone left out', async () => {
    await first.goOffline();
    const addresses = ['fe80::1', OTHER_ADDRESS, '::1', '127.0.0.1'];
    discovery.announce({ deviceId: first.deviceId, addresses, port: first.port });
    await first.restart();
    discovery.announce({ deviceId: first.deviceId, addresses, port: first.port, name: 'First again' });
    await relay.untilStatus(first.deviceId, 'connected');
    expect((await relay.set('First', { on: true })).body.failed).toBe(0);
  });

  it('keeps reaching devices at their last address while mDNS is silent', async () => {
    discovery.remove(first.deviceId);
    first.disconnectAll();
    await eventually(() => first.connections() === 1, 'it to be reached again');
    await relay.untilStatus(first.deviceId, 'connected');
    await relay.stop();
    await relay.start();
    await relay.untilStatus(first.deviceId, 'connected');
  });

  it('lets a paused home alone, and answers that the relay is not connected', async () => {
    const [home] = (await relay.get('/rest/homes')).body;
    await relay.asSystem('PATCH', `/rest/homes/${home.id}`, { paused: true });
    await eventually(() => first.connections() + second.connections() === 0, 'the connections to end');
    const [homeKey, room, key] = (await relay.state('First')).path;
    const refused = await relay.post('/rest/state', { [homeKey]: { [room]: { [key]: { on: true } } } });
    expect(JSON.stringify(refused.body)).toContain('Relay not connected');
    expect((await relay.pairing(first.deviceId)).status).toBe('paused');
    await relay.stop();
    await relay.start();
    await relay.untilStatus(first.deviceId, 'paused');
    expect((await relay.pairing(first.deviceId)).statusDetail).toContain('hearthd home resume');
    expect(first.connections()).toBe(0);
    await relay.asSystem('PATCH', `/rest/homes/${home.id}`, { paused: false });
    await relay.untilStatus(first.deviceId, 'connected');
    expect((await relay.set('First', { on: true })).body.failed).toBe(0);
  });
});
