import { describe, expect, it } from 'vitest';
import { MulticastNetwork, WATCH_INTERVAL_MS } from '../../../src/drivers/discovery/multicast-network.ts';
import type { PacketSocketEvents } from '../../../src/drivers/discovery/multicast-socket.ts';
import { chooseInterfaces, type NetworkInterfaces } from '../../../src/drivers/discovery/network-interfaces.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { TestClock } from '../../support/test-clock.ts';
import { DiscoveryFixture, ETH0, ipv4 } from './discovery-fixture.ts';
import { announcement, device } from './packets.ts';

const ID = 'AA:BB:CC:DD:EE:01';
const LO = ipv4('127.0.0.1', { internal: true });

describe('Choosing interfaces', () => {
  const interfaces: NetworkInterfaces = {
    lo: [{ ...LO, cidr: '127.0.0.1/8' }],
    eth0: [ETH0],
    'eth0:1': [ipv4('198.51.100.2')],
    tun0: [ipv4('203.0.113.2')],
    v6only: [{ ...ETH0, family: 'IPv6', address: 'fd00::2', cidr: 'fd00::2/64', scopeid: 0 }],
  };
  const choose = (...names: string[]): string[] =>
    chooseInterfaces(interfaces, names, (name) => name !== 'tun0').map(({ name, address }) => `${name} ${address}`);

  it('without names: all that are not loopback and can do multicast, aliases included', () => {
    expect(choose()).toEqual(['eth0 192.0.2.2', 'eth0 198.51.100.2']);
  });

  it('with names: exactly those, loopback and tunnels too', () => {
    expect(choose('lo')).toEqual(['lo 127.0.0.1']);
    expect(choose('tun0', 'missing')).toEqual(['tun0 203.0.113.2']);
  });

  it('a packet from a network that was not chosen is none of ours', () => {
    const [eth0] = chooseInterfaces(interfaces, ['eth0']);
    expect(['192.0.2.9', '192.0.3.9', '127.0.0.1', '::1', 'junk'].map((sender) => eth0?.isOnLink(sender))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('A network that comes and goes', () => {
  it('reports interfaces that come up or were replaced, and none whose socket only broke', async () => {
    const clock = new TestClock();
    let interfaces: NetworkInterfaces = { eth0: [ETH0] };
    const sockets: { joined: boolean; events: PacketSocketEvents }[] = [];
    const network = new MulticastNetwork({
      ...{ clock, logger: silentLogger, interfaces: [], listInterfaces: () => interfaces },
      openSocket: (_address, events) => {
        const socket = { joined: true, events };
        sockets.push(socket);
        return { send: async () => {}, isJoined: () => socket.joined, close: () => {} };
      },
    });
    let reports = 0;
    const listener = {
      onReady() {},
      onPacket() {},
      onInterface: () => {
        reports += 1;
      },
    };
    /** How often it was reported by the next two checks. */
    const reported = async () => {
      const before = reports;
      await clock.advance(2 * WATCH_INTERVAL_MS);
      return reports - before;
    };
    network.join(listener);
    expect(reports).toBe(1);
    expect(await reported()).toBe(0);
    sockets.at(-1)?.events.onBroken('EPERM');
    expect(await reported()).toBe(0);
    expect(sockets).toHaveLength(2);
    for (const socket of sockets) socket.joined = false;
    expect(await reported()).toBe(1);
    interfaces = {};
    expect(await reported()).toBe(0);
    interfaces = { eth0: [ipv4('192.0.2.91')] };
    expect(await reported()).toBe(1);
    interfaces = { eth0: [ipv4('192.0.2.91')], eth1: [ipv4('198.51.100.2')] };
    expect(await reported()).toBe(1);
    network.leave(listener);
  });

  it('without a network it waits, and finds what is there within seconds of one coming up', async () => {
    const fixture = new DiscoveryFixture();
    fixture.interfaces = {};
    await fixture.start();
    await fixture.clock.advance(60_000);
    expect(fixture.open).toEqual([]);
    expect(fixture.warnings()).toHaveLength(1);
    fixture.onSend = () => fixture.clock.after(50, () => fixture.receive(announcement(device())));
    fixture.interfaces = { eth0: [ETH0] };
    await fixture.clock.advance(6_000);
    expect(fixture.discovery.find(ID)).toBeDefined();
  });

  it('an interface that was deleted and made again with the same address gets a new socket and a new question', async () => {
    const fixture = await new DiscoveryFixture().start();
    const [old] = fixture.sockets;
    await fixture.clock.advance(30_000);
    fixture.takeQuestions();
    if (old) old.joined = false;
    await fixture.clock.advance(5_000);
    expect(old?.closed).toBe(true);
    expect(fixture.open).toHaveLength(1);
    expect(fixture.takeQuestions()[0]).toBe('PTR _hap._tcp.local');
  });

  it('a lease with another address moves the socket; both are never open at once', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.interfaces = { eth0: [ipv4('192.0.2.99')] };
    await fixture.clock.advance(5_000);
    expect(fixture.open.map(({ address }) => address.address)).toEqual(['192.0.2.99']);
  });

  it('another card under the same name and address is another network', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.interfaces = { eth0: [ipv4('192.0.2.2', { mac: '02:00:00:00:00:99' })] };
    await fixture.clock.advance(5_000);
    expect(fixture.sockets.map(({ closed }) => closed)).toEqual([true, false]);
  });

  it('a machine that slept reopens its sockets', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.clock.jumpWallClock(3_600_000);
    await fixture.clock.advance(5_000);
    expect(fixture.sockets.map(({ closed }) => closed)).toEqual([true, false]);
  });

  it('a socket that breaks is replaced within seconds, however often, at one line in the log and with steady memory', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    for (let times = 0; times < 100; times += 1) {
      fixture.breakSocket('send ENETUNREACH 224.0.0.251:5353');
      await fixture.clock.advance(2_000);
    }
    expect(fixture.open).toHaveLength(1);
    expect(fixture.warnings()).toHaveLength(1);
    expect(fixture.clock.pendingTimers).toBeLessThan(8);
  });

  it('an interface that flaps leaves what was found in the table: the address may work again in a moment', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    fixture.takeSightings();
    for (let times = 0; times < 5; times += 1) {
      fixture.interfaces = {};
      await fixture.clock.advance(5_000);
      fixture.interfaces = { eth0: [ETH0] };
      await fixture.clock.advance(5_000);
    }
    expect(fixture.takeSightings()).toEqual([]);
    expect(fixture.discovery.find(ID)).toBeDefined();
  });

  it('a socket that cannot even be opened, and interfaces that cannot be listed, are tried again', async () => {
    let failing = true;
    const opened: string[] = [];
    const fail = (): never => {
      throw new Error('EMFILE');
    };
    const fixture = new DiscoveryFixture({
      network: {
        listInterfaces: () => (failing ? fail() : { eth0: [ETH0] }),
        openSocket: ({ name }) => {
          opened.push(name);
          return opened.length === 1 ? fail() : { send: async () => {}, isJoined: () => true, close() {} };
        },
      },
    });
    await fixture.start();
    failing = false;
    await fixture.clock.advance(15_000);
    expect(opened).toEqual(['eth0', 'eth0']);
  });

  it('after stop nothing is sent, received or timed, and start begins afresh', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    fixture.receive(announcement(device({ name: 'Rival', port: 9 })), '192.0.2.9');
    const [socket] = fixture.sockets;
    fixture.discovery.stop();
    fixture.discovery.stop();
    fixture.takeSightings();
    socket?.events.onPacket(announcement(device()), '192.0.2.10', 5353);
    socket?.events.onBroken('late');
    fixture.discovery.refresh();
    expect(fixture.clock.pendingTimers).toBe(0);
    expect(fixture.discovery.list()).toEqual([]);
    expect(fixture.takeSightings()).toEqual([]);
    await fixture.start();
    fixture.receive(announcement(device()));
    expect(fixture.takeSightings()).toEqual(['found Lamp']);
  });
});
