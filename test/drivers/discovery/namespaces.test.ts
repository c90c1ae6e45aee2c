/** Discovery on networks that really come, go and change: network namespaces joined by virtual cables. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import {
  connect,
  describeWithNamespaces,
  type NamespaceChild,
  NetworkNamespace,
} from '../../support/network-namespace.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import type { Line, Role } from './namespace-child.ts';

const CHILD = join(import.meta.dirname, 'namespace-child.ts');
const ID = 'AA:BB:CC:DD:EE:01';
const LOCAL_ID = 'AA:BB:CC:DD:EE:02';
/** Required: back within 30 seconds. */
const DEADLINE = { timeout: PATIENCE_MS, interval: 50 };
const TEST_TIMEOUT_MS = 5 * PATIENCE_MS;

describeWithNamespaces('Discovery and a changing network', () => {
  const made: NetworkNamespace[] = [];
  afterAll(async () => {
    for (const namespace of made) await namespace.remove();
  });

  function pair(): { home: NetworkNamespace; garden: NetworkNamespace } {
    const [home, garden] = [NetworkNamespace.create(), NetworkNamespace.create()];
    made.push(home, garden);
    return { home, garden };
  }

  /** Lays the cable: the daemon's end at home, the accessory's in the garden. */
  function lay(
    home: NetworkNamespace,
    garden: NetworkNamespace,
    homeCidr = '10.98.0.1/24',
    gardenCidr = '10.98.0.2/24',
  ) {
    connect(home, garden, 'eth0');
    home.setUp('eth0', homeCidr);
    garden.setUp('eth0', gardenCidr);
  }

  const discover = (namespace: NetworkNamespace, ...interfaces: string[]): NamespaceChild<Line> =>
    namespace.run<Line>(CHILD, { role: 'discover', interfaces } satisfies Role);

  async function answer(namespace: NetworkNamespace, address = '10.98.0.2', id = ID): Promise<NamespaceChild<Line>> {
    const child = namespace.run<Line>(CHILD, { role: 'answer', address, id } satisfies Role);
    await vi.waitFor(() => expect(child.lines).toHaveLength(1), DEADLINE);
    return child;
  }

  /** Waits until the device was announced once more than `since` lines ago, and at this address first. */
  function received(discovery: NamespaceChild<Line>, since: number, address = '10.98.0.2', id = ID): Promise<void> {
    return vi.waitFor(() => {
      const lines = discovery.lines.slice(since).filter((line) => line.id === id && line.kind !== 'lost');
      expect(lines.at(-1)?.addresses[0]).toBe(address);
    }, DEADLINE);
  }

  it.concurrent('started without a network, it finds the accessory soon after one comes up', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const { home, garden } = pair();
    const discovery = discover(home);
    await wait(3_000);
    expect(discovery.lines).toEqual([]);
    lay(home, garden);
    await answer(garden);
    await received(discovery, 0);
    expect(discovery.lines[0]?.kind).toBe('found');
  });

  it.concurrent('an interface deleted and made again with the same address receives again', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const { home, garden } = pair();
    lay(home, garden);
    const first = await answer(garden);
    const discovery = discover(home, 'eth0');
    await received(discovery, 0);
    await first.stop();
    home.ip('link', 'delete', 'eth0');
    lay(home, garden);
    const since = discovery.lines.length;
    await answer(garden);
    await received(discovery, since);
  });

  it.concurrent('addresses that move, the daemon’s or the accessory’s, are followed', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const { home, garden } = pair();
    lay(home, garden);
    const first = await answer(garden);
    const discovery = discover(home);
    await received(discovery, 0);
    home.ip('addr', 'flush', 'dev', 'eth0');
    home.setUp('eth0', '10.98.0.91/24');
    await received(discovery, discovery.lines.length);
    await first.stop();
    garden.ip('addr', 'flush', 'dev', 'eth0');
    garden.setUp('eth0', '10.98.0.77/24');
    await answer(garden, '10.98.0.77');
    await received(discovery, discovery.lines.length, '10.98.0.77');
  });

  it.concurrent('a cable that is pulled and cut twenty times ends neither the process nor its listening', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const { home, garden } = pair();
    lay(home, garden);
    const discovery = discover(home);
    await wait(1_500);
    for (let times = 0; times < 20; times += 1) {
      if (times % 2 === 0) {
        home.ip('link', 'set', 'eth0', 'down');
        await wait(200);
        home.ip('link', 'set', 'eth0', 'up');
      } else {
        home.ip('link', 'delete', 'eth0');
        await wait(200);
        lay(home, garden);
      }
      await wait(200);
    }
    await answer(garden);
    await received(discovery, 0);
    expect(discovery.isRunning()).toBe(true);
  });

  it.concurrent('limited to loopback, it finds what is there, and not one packet leaves on another interface', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const { home, garden } = pair();
    lay(home, garden);
    const before = home.sentPackets('eth0');
    await answer(home, '127.0.0.1', LOCAL_ID);
    const discovery = discover(home, 'lo');
    await received(discovery, 0, '127.0.0.1', LOCAL_ID);
    await wait(4_000);
    expect(home.sentPackets('eth0')).toBe(before);
    expect(new Set(discovery.lines.map(({ id }) => id))).toEqual(new Set([LOCAL_ID]));
  });

  it.concurrent('limited to one interface, it is deaf to what others bring in', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const { home, garden } = pair();
    lay(home, garden);
    connect(home, garden, 'eth1');
    home.setUp('eth1', '10.99.0.1/24');
    garden.setUp('eth1', '10.99.0.2/24');
    await answer(garden);
    // Its membership on eth1 makes the kernel hand eth1's multicast to every socket on the port.
    const other = discover(home, 'eth1');
    await answer(home, '10.99.0.1', LOCAL_ID);
    await received(other, 0, '10.99.0.1', LOCAL_ID);
    const discovery = discover(home, 'eth0');
    await received(discovery, 0);
    await wait(3_500);
    expect(new Set(discovery.lines.map(({ id }) => id))).toEqual(new Set([ID]));
    expect(new Set(other.lines.map(({ id }) => id))).toEqual(new Set([LOCAL_ID]));
  });

  it.concurrent('our own advertisement: seen with the address of the interface, after a move and a killed process as well', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const { home, garden } = pair();
    lay(home, garden);
    connect(home, garden, 'eth1');
    home.setUp('eth1', '10.99.0.1/24');
    garden.setUp('eth1', '10.99.0.2/24');
    const looker = garden.run<Line>(CHILD, { role: 'look', address: '10.98.0.2' } satisfies Role);
    await vi.waitFor(() => expect(looker.lines).toHaveLength(1), DEADLINE);
    const seen = (id: string, address: string, timeout = 30_000): Promise<void> =>
      vi.waitFor(() => expect(looker.lines.at(-1)).toEqual({ kind: 'found', id, addresses: [address] }), {
        timeout,
        interval: 50,
      });
    const first = home.run<Line>(CHILD, { role: 'advertise', port: 5_656 } satisfies Role);
    await seen('nas:5656', '10.98.0.1');
    home.ip('addr', 'flush', 'dev', 'eth0');
    home.setUp('eth0', '10.98.0.91/24');
    await seen('nas:5656', '10.98.0.91');
    home.ip('link', 'delete', 'eth0');
    lay(home, garden, '10.98.0.91/24');
    // The looker's socket went with its interface.
    await looker.stop();
    const second = garden.run<Line>(CHILD, { role: 'look', address: '10.98.0.2' } satisfies Role);
    await vi.waitFor(() => expect(second.lines.at(-1)?.addresses).toEqual(['10.98.0.91']), DEADLINE);
    expect(first.isRunning()).toBe(true);
    // Killed, it sends no farewell; what it left behind does no harm.
    await first.stop();
    home.run<Line>(CHILD, { role: 'advertise', port: 6_000 } satisfies Role);
    await vi.waitFor(() => expect(second.lines.at(-1)?.id).toBe('nas:6000'), DEADLINE);
    expect(new Set([...looker.lines, ...second.lines].flatMap(({ id }) => id || []))).toEqual(
      new Set(['nas:5656', 'nas:6000']),
    );
  });
});
