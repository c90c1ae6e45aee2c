import { describe, expect, it } from 'vitest';
import { chooseInterfaces, type NetworkInterfaces } from '../../../src/drivers/discovery/network-interfaces.ts';
import { DiscoveryLab, ETH0, ipv4 } from './discovery-lab.ts';
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

describe('A network that comes and goes (A1 rows 7, 8 and 9)', () => {
  it('without a network it waits, and finds what is there within seconds of one coming up', async () => {
    const lab = new DiscoveryLab();
    lab.interfaces = {};
    await lab.start();
    await lab.clock.advance(60_000);
    expect(lab.open).toEqual([]);
    expect(lab.warnings()).toHaveLength(1);
    lab.onSend = () => lab.clock.after(50, () => lab.hear(announcement(device())));
    lab.interfaces = { eth0: [ETH0] };
    await lab.clock.advance(6_000);
    expect(lab.discovery.find(ID)).toBeDefined();
  });

  it('an interface that was deleted and made again with the same address gets a new socket and a new question', async () => {
    const lab = await new DiscoveryLab().start();
    const [old] = lab.sockets;
    await lab.clock.advance(30_000);
    lab.takeQuestions();
    if (old) old.joined = false;
    await lab.clock.advance(5_000);
    expect(old?.closed).toBe(true);
    expect(lab.open).toHaveLength(1);
    expect(lab.takeQuestions()[0]).toBe('PTR _hap._tcp.local');
  });

  it('a lease with another address moves the socket; both are never open at once', async () => {
    const lab = await new DiscoveryLab().start();
    lab.interfaces = { eth0: [ipv4('192.0.2.99')] };
    await lab.clock.advance(5_000);
    expect(lab.open.map(({ address }) => address.address)).toEqual(['192.0.2.99']);
  });

  it('another card under the same name and address is another network', async () => {
    const lab = await new DiscoveryLab().start();
    lab.interfaces = { eth0: [ipv4('192.0.2.2', { mac: '02:00:00:00:00:99' })] };
    await lab.clock.advance(5_000);
    expect(lab.sockets.map(({ closed }) => closed)).toEqual([true, false]);
  });

  it('a machine that slept opens its sockets anew', async () => {
    const lab = await new DiscoveryLab().start();
    lab.clock.jumpWallClock(3_600_000);
    await lab.clock.advance(5_000);
    expect(lab.sockets.map(({ closed }) => closed)).toEqual([true, false]);
  });

  it('a socket that breaks is replaced within seconds, however often, at one line in the log and with steady memory', async () => {
    const lab = await new DiscoveryLab().start();
    lab.hear(announcement(device()));
    for (let times = 0; times < 100; times += 1) {
      lab.breakSocket('send ENETUNREACH 224.0.0.251:5353');
      await lab.clock.advance(2_000);
    }
    expect(lab.open).toHaveLength(1);
    expect(lab.warnings()).toHaveLength(1);
    expect(lab.clock.pendingTimers).toBeLessThan(8);
  });

  it('an interface that flaps leaves what was found in the table: the address may work again in a moment', async () => {
    const lab = await new DiscoveryLab().start();
    lab.hear(announcement(device()));
    lab.takeSightings();
    for (let times = 0; times < 5; times += 1) {
      lab.interfaces = {};
      await lab.clock.advance(5_000);
      lab.interfaces = { eth0: [ETH0] };
      await lab.clock.advance(5_000);
    }
    expect(lab.takeSightings()).toEqual([]);
    expect(lab.discovery.find(ID)).toBeDefined();
  });

  it('a socket that cannot even be opened, and interfaces that cannot be listed, are tried again', async () => {
    let failing = true;
    const opened: string[] = [];
    const fail = (): never => {
      throw new Error('EMFILE');
    };
    const lab = new DiscoveryLab({
      network: {
        listInterfaces: () => (failing ? fail() : { eth0: [ETH0] }),
        openSocket: ({ name }) => {
          opened.push(name);
          return opened.length === 1 ? fail() : { send: async () => {}, isJoined: () => true, close() {} };
        },
      },
    });
    await lab.start();
    failing = false;
    await lab.clock.advance(15_000);
    expect(opened).toEqual(['eth0', 'eth0']);
  });

  it('after stop nothing is sent, heard or timed, and start begins afresh', async () => {
    const lab = await new DiscoveryLab().start();
    lab.hear(announcement(device()));
    lab.hear(announcement(device({ name: 'Rival', port: 9 })), '192.0.2.9');
    const [socket] = lab.sockets;
    lab.discovery.stop();
    lab.discovery.stop();
    lab.takeSightings();
    socket?.events.onPacket(announcement(device()), '192.0.2.10', 5353);
    socket?.events.onBroken('late');
    lab.discovery.refresh();
    expect(lab.clock.pendingTimers).toBe(0);
    expect(lab.discovery.list()).toEqual([]);
    expect(lab.takeSightings()).toEqual([]);
    await lab.start();
    lab.hear(announcement(device()));
    expect(lab.takeSightings()).toEqual(['found Lamp']);
  });
});
