import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, decode, type Packet } from 'dns-packet';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseHostPort } from '../../../src/drivers/discovery/host-port.ts';
import { MdnsDiscovery, type MdnsDiscoveryDeps } from '../../../src/drivers/discovery/mdns-discovery.ts';
import { MulticastNetwork } from '../../../src/drivers/discovery/multicast-network.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { DiscoveryFixture } from './discovery-fixture.ts';
import { addresses, announcement, device, type FakeDevice, goodbye, ptr, response, srv, txt } from './packets.ts';

const ID = 'AA:BB:CC:DD:EE:01';
const DEADLINE = { timeout: PATIENCE_MS, interval: 20 };

describe('host:port', () => {
  it.each([
    ['192.0.2.7:51826', '192.0.2.7', 51826],
    [' Lamp.LAN:80 ', 'lamp.lan', 80],
    ['my_lamp:1', 'my_lamp', 1],
    ['[FD00::7]:65535', 'fd00::7', 65535],
    ['[fe80::7%eth0]:5001', 'fe80::7%eth0', 5001],
    ['127.0.0.1:1', '127.0.0.1', 1],
  ])('%s is read', (input, host, port) => {
    expect(parseHostPort(input)).toMatchObject({ host, port });
  });

  it.each([
    '',
    'lamp',
    'lamp:',
    ':80',
    'lamp:0',
    'lamp:65536',
    'lamp:8o',
    'lamp:-1',
    'fd00::7:80',
    '[fd00::7]',
    '[192.0.2.7]:80',
    '[junk]:80',
    '192.0.2.256:80',
    '192.0.2:80',
    '0.0.0.0:80',
    '224.0.0.251:5353',
    '[::]:80',
    'la mp:80',
    '-lamp:80',
    'lamp..lan:80',
    `${'x'.repeat(64)}:80`,
    'http://lamp:80',
    'lamp:80/path',
  ])('"%s" is refused with a sentence about how to write it', (input) => {
    expect(() => parseHostPort(input)).toThrow(expect.objectContaining({ code: 'invalid_value' }) as Error);
    expect(() => parseHostPort(input)).toThrow(/give host:port/);
  });
});

describe('Manual entries', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** A device's own responder on a port of 127.0.0.1, and what it was asked. */
  async function responder(
    answer: (questions: string[]) => Buffer | undefined,
  ): Promise<{ port: number; asked: string[] }> {
    const socket: Socket = createSocket('udp4');
    const asked: string[] = [];
    socket.on('message', (packet, { port, address }) => {
      const questions = ((decode(packet) as Packet).questions ?? []).map(({ type, name }) => `${type} ${name}`);
      asked.push(...questions);
      const reply = answer(questions);
      if (reply) socket.send(reply, port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    closing.push(() => socket.close());
    return { port: socket.address().port, asked };
  }

  function discover(port: number, options: Partial<MdnsDiscoveryDeps> = {}) {
    const discovery = new MdnsDiscovery({
      network: new MulticastNetwork({ interfaces: ['none'], clock: systemClock, logger: silentLogger }),
      clock: systemClock,
      logger: silentLogger,
      unicast: { port, resolve: async () => ['127.0.0.1'] },
      ...options,
    });
    const sightings: string[] = [];
    discovery.onSighting(({ kind, advertisement }) => sightings.push(`${kind} ${advertisement.deviceId}`));
    discovery.start();
    closing.push(() => discovery.stop());
    return { discovery, sightings };
  }

  it('a device that answers is listed under its id, at the address where it answered', async () => {
    const lamp = device({ ipv4: ['172.17.0.2'], txt: { 'c#': '9' } });
    const { port } = await responder(() => announcement(lamp));
    const { discovery, sightings } = discover(port, { manual: ['127.0.0.1:51826'] });
    await vi.waitFor(() => expect(discovery.find(ID)).toBeDefined(), DEADLINE);
    expect(discovery.list()).toMatchObject([
      { deviceId: ID, name: 'Lamp', configNumber: 9, port: 51826, addresses: ['127.0.0.1'], via: 'manual' },
    ]);
    expect(sightings).toEqual(['found 127.0.0.1:51826', 'lost 127.0.0.1:51826', `found ${ID}`]);
  });

  it('of several servers on one host the one on the port is meant', async () => {
    const other = device({ id: 'AA:BB:CC:DD:EE:02', name: 'Other', port: 51827 });
    const { port } = await responder(() =>
      response([ptr(other), ptr(device())], [srv(other), txt(other), srv(device()), txt(device())]),
    );
    const { discovery } = discover(port, { manual: ['lamp.lan:51826'] });
    await vi.waitFor(() => expect(discovery.list()).toMatchObject([{ deviceId: ID, host: 'lamp.lan' }]), DEADLINE);
  });

  it('records that did not come along are asked for', async () => {
    const records: Record<string, Answer> = {
      'PTR _hap._tcp.local': ptr(device()),
      'SRV Lamp._hap._tcp.local': srv(device()),
      'TXT Lamp._hap._tcp.local': txt(device()),
    };
    const { port, asked } = await responder((questions) =>
      response(questions.flatMap((question) => records[question] ?? [])),
    );
    const { discovery } = discover(port, { manual: ['127.0.0.1:51826'] });
    await vi.waitFor(() => expect(discovery.find(ID)).toBeDefined(), DEADLINE);
    expect(asked).toEqual(Object.keys(records));
  });

  it('until it answers it is listed under host:port, and it is asked again', async () => {
    let silent = true;
    const { port, asked } = await responder((questions) =>
      questions.length > 0 && !silent ? announcement(device()) : undefined,
    );
    const { discovery } = discover(port);
    discovery.addManual('lamp.lan:51826');
    expect(discovery.list()).toMatchObject([{ deviceId: 'lamp.lan:51826', via: 'manual', configNumber: null }]);
    await vi.waitFor(() => expect(discovery.find('lamp.lan:51826')?.addresses).toEqual(['127.0.0.1']), DEADLINE);
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0), DEADLINE);
    silent = false;
    await vi.waitFor(() => expect(discovery.find(ID)).toBeDefined(), DEADLINE);
    expect(discovery.find('lamp.lan:51826')).toBeUndefined();
  });

  it('a host that does not listen, that cannot be resolved or that talks rubbish stays listed and harms nothing', async () => {
    const { port } = await responder(() => Buffer.from('rubbish'));
    const failing = discover(port, { unicast: { port, resolve: () => Promise.reject(new Error('ENOTFOUND')) } });
    failing.discovery.addManual('nowhere.lan:1');
    const { discovery } = discover(port, { manual: ['127.0.0.1:1'] });
    const deaf = discover(1, { manual: ['127.0.0.1:2'] });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(
      [failing.discovery, discovery, deaf.discovery].map((one) => one.list().map(({ deviceId }) => deviceId)),
    ).toEqual([['nowhere.lan:1'], ['127.0.0.1:1'], ['127.0.0.1:2']]);
  });

  it('an entry that is removed is lost; one added twice is one; a malformed one is refused', () => {
    const { discovery, sightings } = discover(1);
    discovery.addManual('Lamp.lan:5');
    discovery.addManual('lamp.lan:5');
    discovery.removeManual('lamp.lan:5');
    discovery.removeManual('lamp.lan:5');
    expect(sightings).toEqual(['found lamp.lan:5', 'lost lamp.lan:5']);
    expect(() => discovery.addManual('lamp')).toThrow(/give host:port/);
    expect(() => discovery.removeManual('lamp')).toThrow(/give host:port/);
  });

  it('a malformed entry given at the start is refused at the start', () => {
    const discovery = new MdnsDiscovery({
      network: new MulticastNetwork({ interfaces: ['none'], clock: systemClock, logger: silentLogger }),
      clock: systemClock,
      logger: silentLogger,
      manual: ['x'],
    });
    expect(() => discovery.start()).toThrow(/Invalid address 'x'/);
    discovery.stop();
  });

  it('it merges with what mDNS has of the same id, and stays when mDNS loses the device', async () => {
    const { port } = await responder(() => announcement(device()));
    const fixture = new DiscoveryFixture({ unicast: { port } });
    closing.push(() => fixture.discovery.stop());
    await fixture.start();
    fixture.receive(announcement(device()));
    fixture.discovery.addManual('127.0.0.1:51826');
    await vi.waitFor(() => expect(fixture.discovery.list()).toHaveLength(1), DEADLINE);
    expect(fixture.discovery.find(ID)).toMatchObject({ via: 'mdns', addresses: ['192.0.2.10', '127.0.0.1'] });
    fixture.takeSightings();
    fixture.receive(goodbye(device()));
    await fixture.clock.advance(1_500);
    const sightings = fixture.takeSightings();
    expect(sightings).toContain('changed Lamp');
    expect(sightings).not.toContain('lost Lamp');
    expect(fixture.discovery.find(ID)).toMatchObject({ via: 'manual', addresses: ['127.0.0.1'] });
    fixture.discovery.removeManual('127.0.0.1:51826');
    expect(fixture.takeSightings()).toEqual(['lost Lamp']);
  });

  it('refresh asks an identified entry at once, and its changes are seen', async () => {
    let lamp: FakeDevice = device();
    const { port } = await responder(() => response([ptr(lamp)], [srv(lamp), txt(lamp), ...addresses(lamp)]));
    const { discovery } = discover(port, { manual: ['127.0.0.1:51826'] });
    await vi.waitFor(() => expect(discovery.find(ID)).toBeDefined(), DEADLINE);
    lamp = device({ txt: { sf: '0' } });
    discovery.refresh(ID);
    await vi.waitFor(() => expect(discovery.find(ID)?.statusFlags).toBe(0), DEADLINE);
  });
});
