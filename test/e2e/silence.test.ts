/**
 * Peers that fall silent without hanging up: a cable that is pulled, a device whose program hangs while its network
 * stack lives.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDeviceId, createSigningKeys } from '../support/accessories/identity.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import {
  connect,
  describeWithNamespaces,
  type NamespaceChild,
  NetworkNamespace,
} from '../support/network-namespace.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { hastyClock } from './chaos-fixture.ts';
import type { Line, Role } from './silence-child.ts';

const CHILD = join(import.meta.dirname, 'silence-child.ts');
/** Required: shown as gone within a minute, back within ten seconds. */
const GONE_MS = 60_000;
const BACK_MS = 10_000;
/** So many times faster pass the relay's deadlines where no kernel's timers have a part. */
const HASTE = 5;

/** Every packet that leaves through the device is lost, without an error. @returns the function that ends it */
function losePackets(namespace: NetworkNamespace, device: string): () => void {
  const tc = (...args: string[]): void => {
    execFileSync('ip', ['netns', 'exec', namespace.name, 'tc', 'qdisc', ...args], { stdio: 'pipe' });
  };
  try {
    tc('add', 'dev', device, 'root', 'netem', 'loss', '100%');
  } catch {
    // Kernels without netem have this, which does the same.
    tc('add', 'dev', device, 'root', 'blackhole');
  }
  return () => tc('del', 'dev', device, 'root');
}

describeWithNamespaces('A network that loses everything', () => {
  it('shows the device as gone within a minute though no client asks anything of it, and as back within ten seconds', async () => {
    using directory = createTempDirectory('silence');
    const [home, garden] = [NetworkNamespace.create(), NetworkNamespace.create()];
    try {
      connect(home, garden, 'eth0');
      home.setUp('eth0', '10.97.0.1/24');
      garden.setUp('eth0', '10.97.0.2/24');
      const { seed, publicKey } = createSigningKeys();
      const { id, publicKey: controllerKey } = KNOWN_CONTROLLER;
      const device = { deviceId: createDeviceId(), host: '10.97.0.2', port: 51_826 };
      const controller = { id, publicKey: controllerKey.toString('hex') };
      const lamp = garden.run<Line>(CHILD, {
        role: 'device',
        ...device,
        controller,
        seed: seed.toString('hex'),
      } satisfies Role);
      await eventually(() => lamp.lines.length > 0, 'the device to be up');
      sharePairings(directory, [{ ...device, name: 'Lamp', publicKey }]);
      const relay = home.run<Line>(CHILD, {
        role: 'relay',
        directory: directory.path,
        ...device,
      } satisfies Role);
      await untilSeems(relay, { status: 'connected', reachable: true }, 20_000);

      const restore = [losePackets(home, 'eth0'), losePackets(garden, 'eth0')];
      await untilSeems(relay, { status: 'offline', reachable: false }, GONE_MS);
      for (const undo of restore) undo();
      await untilSeems(relay, { status: 'connected', reachable: true }, BACK_MS);
    } finally {
      await Promise.all([home.remove(), garden.remove()]);
    }
  });
});

function untilSeems(relay: NamespaceChild<Line>, wanted: Line, patienceMs: number): Promise<unknown> {
  const isSo = (): boolean => JSON.stringify(relay.lines.at(-1)) === JSON.stringify(wanted);
  return eventually(isSo, `the device to seem ${JSON.stringify(wanted)}`, patienceMs);
}

describe('a device whose program hangs while its network stack lives', () => {
  const directory = createTempDirectory('hangs');
  let relay: E2eRelay;
  let accessory: RawAccessory;
  let proxy: TcpProxy;

  beforeAll(async () => {
    accessory = await startRawAccessory({
      database: [lampAccessory('Lamp')],
      name: 'Lamp',
      paired: [KNOWN_CONTROLLER],
      mdns: false,
    });
    proxy = await TcpProxy.start(() => accessory.port);
    const { deviceId, publicKey } = accessory;
    sharePairings(directory, [{ deviceId, publicKey, name: 'Lamp', port: proxy.port }]);
    relay = await E2eRelay.start({ directory, overrides: { clock: hastyClock(HASTE) } });
    await relay.untilStatus(accessory.deviceId, 'connected');
  });

  afterAll(async () => {
    await relay[Symbol.asyncDispose]();
    await proxy.stop();
    await accessory.stop();
    directory.remove();
  });

  it('costs a caller ten seconds, is shown as gone then, and is back as soon as it wakes', async () => {
    proxy.swallow = true;
    const begun = performance.now();
    const { body } = await relay.set('Lamp', { brightness: 7 });
    expect(body).toMatchObject({ updated: 0, failed: 1 });
    expect(performance.now() - begun).toBeLessThan(20_000 / HASTE);
    await eventually(async () => !(await relay.accessory('Lamp')).reachable, 'it to be shown as gone', GONE_MS / HASTE);
    expect((await relay.pairing(accessory.deviceId)).status).not.toBe('connected');
    proxy.swallow = false;
    await eventually(async () => (await relay.accessory('Lamp')).reachable, 'it to be back');
    expect((await relay.set('Lamp', { brightness: 8 })).body).toMatchObject({ updated: 1, failed: 0 });
    expect(accessory.writes.map(({ value }) => value)).toEqual([8]);
  });
});
