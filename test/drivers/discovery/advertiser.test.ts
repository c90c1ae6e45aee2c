/**
 * Our own advertisement, by the sentences of RFC 6762 and 6763 that it lives by; on a clock and a network of the
 * test's.
 */
import type { Answer, Packet } from 'dns-packet';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AdvertisedNames, advertisedRelay } from '../../../src/drivers/discovery/advertised-records.ts';
import { listeningTest } from '../../../src/drivers/discovery/listening-addresses.ts';
import { TestClock } from '../../support/test-clock.ts';
import { AdvertiserFixture, query, RELAY, reported, SETTLED_MS } from './advertiser-fixture.ts';
import { ETH0, ipv4 } from './discovery-fixture.ts';
import { response } from './packets.ts';

const TYPES = ['_hearthd._tcp.local', '_homecast._tcp.local'];
const HOST = 'nas-hearthd.local';
const TXT = 'v=1 id=0badcafe md=community vs=1.2.3 au=1 ws=5657';
const ipv6 = (address: string) => ({
  address,
  netmask: 'ffff:ffff:ffff:ffff::',
  family: 'IPv6' as const,
  mac: ETH0.mac,
  internal: false,
  scopeid: 0,
  cidr: `${address}/64`,
});

const srv = (name: string, port: number, target = 'other.local', ttl = 120): Answer => ({
  type: 'SRV',
  name,
  ttl,
  flush: true,
  data: { port, target },
});
const a = (name: string, data: string, ttl = 120): Answer => ({ type: 'A', name, ttl, flush: true, data });
const ptr = (type: string, ttl = 4_500, label = 'nas'): Answer => ({
  type: 'PTR',
  name: type,
  ttl,
  data: `${label}.${type}`,
});

function namesOf(hostname: string, attempt: number, hostAttempt: number): AdvertisedNames {
  return advertisedRelay({ ...RELAY, hostname }).names(attempt, hostAttempt);
}

describe('Claiming the names (RFC 6762 §8)', () => {
  it('probes three times, a quarter of a second apart, with what it will claim, and announces everything twice', async () => {
    const fixture = new AdvertiserFixture();
    await fixture.advertiser.start();
    const answered = await fixture.sentWithin(SETTLED_MS);
    expect(answered.map(({ at, packet }) => [at, packet.type])).toEqual([
      [125, 'query'],
      [375, 'query'],
      [625, 'query'],
      [875, 'response'],
      [1_875, 'response'],
    ]);
    const [probe, , , announcement, again] = answered.map(({ packet }) => packet);
    const names = ['nas._hearthd._tcp.local', 'nas._homecast._tcp.local', HOST];
    expect(probe?.questions?.map(({ name, type, class: cls }) => [name, type, cls])).toEqual(
      names.map((name) => [name, 'ANY', 'IN']),
    );
    expect(reported(probe?.authorities)).toEqual(reported(announcement?.answers).slice(4));
    expect(reported(announcement?.answers)).toEqual([
      ...TYPES.map((type) => `PTR ${type} nas.${type}`),
      ...TYPES.map((type) => `PTR _services._dns-sd._udp.local ${type}`),
      ...TYPES.flatMap((type) => [`SRV nas.${type} ${HOST}:5656`, `TXT nas.${type} ${TXT}`]),
      `A ${HOST} 192.0.2.2`,
    ]);
    expect(again).toEqual(announcement);
    expect(
      announcement?.answers?.map((record) => [
        record.type,
        'flush' in record && record.flush,
        'ttl' in record && record.ttl,
      ]),
    ).toEqual([
      ...Array.from({ length: 4 }, () => ['PTR', false, 4_500]),
      ['SRV', true, 120],
      ['TXT', true, 4_500],
      ['SRV', true, 120],
      ['TXT', true, 4_500],
      ['A', true, 120],
    ]);
  });

  it.each([
    ['an instance of ours', srv('NAS._hearthd._tcp.local', 1), 'nas (2)', HOST],
    ['an instance of the other type', srv('nas._homecast._tcp.local', 5_656), 'nas (2)', HOST],
    ['the host name', a(HOST, '192.0.2.9'), 'nas', 'nas-hearthd-2.local'],
    [
      'the host name, for another type of record',
      { type: 'AAAA', name: HOST, ttl: 120, data: '2001:db8::9' } as Answer,
      'nas',
      'nas-hearthd-2.local',
    ],
  ])('a name that is taken is left to its owner: %s', async (_, theirs, instance, host) => {
    const fixture = new AdvertiserFixture();
    await fixture.advertiser.start();
    await fixture.clock.advance(200);
    fixture.receive(response([theirs]));
    const answered = await fixture.sentWithin(SETTLED_MS);
    const answers = reported(answered.at(-1)?.packet.answers);
    expect(answers).toContain(`SRV ${instance}._hearthd._tcp.local ${host}:5656`);
    expect(answers).toContain(`SRV ${instance}._homecast._tcp.local ${host}:5656`);
    expect(fixture.advertiser.hostName).toBe(host);
  });

  it('sends nothing for its names before they are its own, and a goodbye or its own words come back take nothing away', async () => {
    const fixture = new AdvertiserFixture();
    await fixture.advertiser.start();
    await fixture.clock.advance(200);
    fixture.ask([{ type: 'PTR', name: '_hearthd._tcp.local' }]);
    fixture.receive(
      response([srv('nas._hearthd._tcp.local', 1, 'x.local', 0), srv('nas._hearthd._tcp.local', 5_656, HOST)]),
    );
    fixture.receive(response([ptr('_hearthd._tcp.local', 4_500, 'garden'), a(HOST, '192.0.2.2')]));
    expect(new Set((await fixture.sentWithin(600)).map(({ packet }) => packet.type))).toEqual(new Set(['query']));
    await fixture.clock.advance(SETTLED_MS);
    expect(reported(fixture.sent.at(-1)?.packet.answers)).toContain(`SRV nas._hearthd._tcp.local ${HOST}:5656`);
  });

  it('of two that probe at once, one keeps the name, and both end up with names of their own', async () => {
    const clock = new TestClock();
    const one = new AdvertiserFixture({ clock });
    const two = new AdvertiserFixture({ clock, interfaces: { eth0: [ipv4('192.0.2.3')] }, relay: { port: 6_000 } });
    one.others.push(two);
    two.others.push(one);
    await Promise.all([one.advertiser.start(), two.advertiser.start()]);
    await clock.advance(10_000);
    const names = [one, two].map(
      (fixture) =>
        reported(fixture.sent.at(-1)?.packet.answers)
          .find((text) => text.startsWith('SRV'))
          ?.split('.')[0],
    );
    expect(names).toEqual(['SRV nas (2)', 'SRV nas']);
    expect(new Set([one.advertiser.hostName, two.advertiser.hostName])).toEqual(new Set([HOST, 'nas-hearthd-2.local']));
  });

  it('a name that turns out to be claimed twice later is probed for again, and the one that is challenged gives way', async () => {
    const fixture = await new AdvertiserFixture().settle();
    fixture.receive(response([srv('nas._hearthd._tcp.local', 1)]));
    expect((await fixture.sentWithin(100)).map(({ packet }) => packet.type)).toEqual(['query']);
    fixture.receive(response([srv('nas._hearthd._tcp.local', 1)]));
    const answered = await fixture.sentWithin(SETTLED_MS);
    expect(reported(answered.at(-1)?.packet.answers)).toContain(`SRV nas (2)._hearthd._tcp.local ${HOST}:5656`);
  });

  it('a host that takes every name makes it slow, not busy: one try in five seconds', async () => {
    const fixture = new AdvertiserFixture();
    await fixture.advertiser.start();
    for (let times = 0; times < 120; times += 1) {
      await fixture.clock.advance(500);
      const probe = fixture.sent.findLast(({ packet }) => packet.type === 'query')?.packet;
      const name = probe?.questions?.[0]?.name ?? '';
      fixture.receive(response([srv(name, 1)]));
    }
    expect(fixture.sent.length).toBeLessThan(120);
    expect(fixture.clock.pendingTimers).toBeLessThan(4);
  });

  it('names fit a label for every name of the machine, and what is cut off is sent as dn', async () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 90 }),
        fc.integer({ min: 1, max: 120 }),
        (hostname, attempt) => {
          const { instance, host } = namesOf(hostname, attempt, attempt);
          expect(Buffer.byteLength(instance)).toBeLessThanOrEqual(63);
          expect(instance).not.toBe('');
          expect(host).toMatch(/^(?!-)[A-Za-z0-9-]{1,63}\.local$/);
          expect(Buffer.from(instance).toString()).toBe(instance);
        },
      ),
      { numRuns: 200 },
    );
    expect(namesOf('nas.local', 1, 1)).toMatchObject({ instance: 'nas', host: HOST });
    expect(namesOf('nas.home.arpa', 3, 1).instances[0]).toBe('nas\\.home\\.arpa (3)._hearthd._tcp.local');
    const fixture = new AdvertiserFixture({ relay: { hostname: 'n'.repeat(64), hasTls: true, wsPort: 0 } });
    await fixture.advertiser.start();
    await fixture.clock.advance(SETTLED_MS);
    const text = reported(fixture.sent.at(-1)?.packet.answers).find((record) => record.startsWith('TXT'));
    expect(text).toContain(`au=1 dn=${'n'.repeat(64)} tls=1`);
  });
});

describe('Answering (RFC 6762 §6 and §7)', () => {
  const PTR = { type: 'PTR', name: '_hearthd._tcp.local' } as const;
  const INSTANCE = 'nas._hearthd._tcp.local';
  const rest = [`SRV ${INSTANCE} ${HOST}:5656`, `TXT ${INSTANCE} ${TXT}`, `A ${HOST} 192.0.2.2`, `NSEC ${HOST} A`];

  it.each([
    ['who offers the service', PTR, [`PTR _hearthd._tcp.local ${INSTANCE}`], rest],
    ['where the service is', { type: 'SRV', name: INSTANCE }, [rest[0]], rest.slice(2)],
    ['what it says of itself', { type: 'TXT', name: INSTANCE.toUpperCase() }, [rest[1]], []],
    ['where the host is', { type: 'A', name: HOST }, [rest[2]], [rest[3]]],
    ['a kind of address that the host has not', { type: 'AAAA', name: HOST }, [rest[3]], []],
    ['anything of the instance', { type: 'ANY', name: INSTANCE }, rest.slice(0, 2), rest.slice(2)],
    ['an address of the instance', { type: 'A', name: INSTANCE }, [`NSEC ${INSTANCE} TXT SRV`], []],
    [
      'what services there are',
      { type: 'PTR', name: '_services._dns-sd._udp.local' },
      TYPES.map((type) => `PTR _services._dns-sd._udp.local ${type}`),
      [],
    ],
  ] as const)('%s', async (_, question, answers, additionals) => {
    const fixture = await new AdvertiserFixture().settle();
    fixture.ask([question]);
    const [answer, ...more] = await fixture.sentWithin(500);
    expect(more).toEqual([]);
    expect(reported(answer?.packet.answers)).toEqual(answers);
    expect(reported(answer?.packet.additionals)).toEqual(additionals);
    expect(answer).toMatchObject({ to: undefined, packet: { id: 0, flag_aa: true, rcode: 'NOERROR', questions: [] } });
  });

  it('other names, other classes and questions to others are none of its business', async () => {
    const fixture = await new AdvertiserFixture().settle();
    fixture.ask([
      { type: 'PTR', name: '_hap._tcp.local' },
      { type: 'A', name: 'nas.local' },
      { type: 'A', name: 'local' },
    ]);
    fixture.ask([{ ...PTR, class: 'CH' }]);
    expect(await fixture.sentWithin(500)).toEqual([]);
  });

  it('a name with dots is found by those too who take each dot for the end of a label', async () => {
    const fixture = await new AdvertiserFixture({ relay: { hostname: 'nas.home.arpa' } }).settle();
    fixture.ask([{ type: 'SRV', name: 'nas.home.arpa._hearthd._tcp.local' }]);
    expect(reported((await fixture.sentWithin(500))[0]?.packet.answers)).toEqual([
      `SRV nas.home.arpa._hearthd._tcp.local ${HOST}:5656`,
    ]);
  });

  it('what is ours alone is answered at once, what others may answer too after 20 to 120 ms', async () => {
    const fixture = await new AdvertiserFixture().settle();
    fixture.ask([{ type: 'A', name: HOST }]);
    expect(await fixture.sentWithin(0)).toHaveLength(1);
    fixture.ask([PTR]);
    expect(await fixture.sentWithin(19)).toEqual([]);
    expect(await fixture.sentWithin(101)).toHaveLength(1);
  });

  it('no record is sent to all twice within a second, however often it is asked for', async () => {
    const fixture = await new AdvertiserFixture().settle();
    for (let times = 0; times < 50; times += 1) {
      fixture.ask([PTR], {}, `192.0.2.${times + 10}`);
      await fixture.clock.advance(100);
    }
    expect(fixture.sent.length).toBeGreaterThanOrEqual(4);
    expect(fixture.sent.length).toBeLessThanOrEqual(6);
  });

  it('a client that knows the answer with half of its time left gets no answer, in the same packet or a later one', async () => {
    const fixture = await new AdvertiserFixture().settle();
    fixture.ask([PTR], { answers: [ptr('_hearthd._tcp.local', 2_250)] });
    expect(await fixture.sentWithin(500)).toEqual([]);
    fixture.ask([PTR], { answers: [ptr('_hearthd._tcp.local', 2_249)] });
    expect(await fixture.sentWithin(500)).toHaveLength(1);
    await fixture.clock.advance(2_000);
    fixture.ask([PTR], { flags: 0x200 });
    await fixture.clock.advance(300);
    fixture.ask([], { answers: [ptr('_hearthd._tcp.local')] });
    expect(await fixture.sentWithin(1_000)).toEqual([]);
    fixture.ask([PTR], { flags: 0x200 });
    fixture.ask([PTR], { flags: 0x200 }, '192.0.2.11');
    fixture.ask([], { answers: [ptr('_hearthd._tcp.local')] });
    expect(await fixture.sentWithin(399)).toEqual([]);
    expect(await fixture.sentWithin(200)).toHaveLength(1);
  });

  it('a client that asks for it gets the answer alone, unless everyone should receive it again or the asker shares our port', async () => {
    const fixture = await new AdvertiserFixture().settle();
    const ask = (sender: string): void => fixture.receive(unicastWanted(query([PTR])), sender);
    ask('192.0.2.10');
    expect(await fixture.sentWithin(200)).toMatchObject([{ to: { address: '192.0.2.10', port: 5353 } }]);
    ask('192.0.2.2');
    expect(await fixture.sentWithin(200)).toMatchObject([{ to: undefined }]);
    await fixture.clock.advance(1_200_000);
    ask('192.0.2.10');
    expect(await fixture.sentWithin(200)).toMatchObject([{ to: undefined }]);
  });

  it('plain DNS gets its id and question back, short times and whole names (§6.7)', async () => {
    const fixture = await new AdvertiserFixture().settle();
    fixture.ask([{ type: 'SRV', name: INSTANCE }], { id: 4_711 }, { address: '192.0.2.10', port: 50_000 });
    const [answer, ...more] = await fixture.sentWithin(500);
    expect(more).toEqual([]);
    expect(answer).toMatchObject({
      to: { address: '192.0.2.10', port: 50_000 },
      packet: { id: 4_711, questions: [{ type: 'SRV', name: INSTANCE }] },
    });
    for (const record of [...(answer?.packet.answers ?? []), ...(answer?.packet.additionals ?? [])]) {
      expect(record).toMatchObject({ ttl: 10, flush: false });
    }
    expect(reported(answer?.packet.additionals)).toContain(rest[2]);
  });

  it('a name that another host probes for is defended at once, and four times a second at most', async () => {
    const fixture = await new AdvertiserFixture().settle();
    fixture.ask([{ type: 'ANY', name: INSTANCE }], { authorities: [srv(INSTANCE, 1)] });
    expect(await fixture.sentWithin(0)).toMatchObject([{ packet: { type: 'response' } }]);
    for (let times = 0; times < 100; times += 1) {
      fixture.ask([{ type: 'ANY', name: INSTANCE }], { authorities: [srv(INSTANCE, 1)] });
      await fixture.clock.advance(10);
    }
    expect(fixture.sent.length).toBeGreaterThanOrEqual(3);
    expect(fixture.sent.length).toBeLessThanOrEqual(5);
  });

  it('another host’s goodbye to what is ours too is corrected within a second (§10.1)', async () => {
    const fixture = await new AdvertiserFixture().settle();
    fixture.receive(response([a(HOST, '192.0.2.2', 0), ptr('_hearthd._tcp.local', 0)]));
    const [answer] = await fixture.sentWithin(1_000);
    expect(reported(answer?.packet.answers)).toEqual([`A ${HOST} 192.0.2.2`, `PTR _hearthd._tcp.local ${INSTANCE}`]);
  });
});

describe('Each interface has its own addresses', () => {
  const hostRecords = (packet: Packet | undefined): string[] =>
    reported(packet?.answers).flatMap((text) => (/^A+ /.test(text) ? [text.split(' ')[2] as string] : []));

  it('those that can be reached from there: no loopback, no link-local IPv6, IPv4 first', async () => {
    const fixture = new AdvertiserFixture({
      interfaces: {
        eth0: [ipv6('fe80::1'), ipv6('2001:db8::2'), ETH0, ipv4('169.254.3.4')],
        'eth0:1': [ipv4('198.51.100.2')],
        wlan0: [ipv4('203.0.113.7')],
        zeroconf0: [ipv4('169.254.9.9')],
      },
    });
    await fixture.advertiser.start();
    await fixture.clock.advance(SETTLED_MS);
    const byLink = new Map(
      fixture.sent.map(({ on, packet }) => [`${on} ${hostRecords(packet)[0]}`, hostRecords(packet).sort()]),
    );
    const eth0 = ['192.0.2.2', '198.51.100.2', '2001:db8::2'];
    expect(byLink.get('eth0 192.0.2.2')).toEqual(eth0);
    expect(byLink.get('wlan0 203.0.113.7')).toEqual(['203.0.113.7']);
    expect(byLink.get('zeroconf0 169.254.9.9')).toEqual(['169.254.9.9']);
  });

  it('only those that the server listens on; where it listens on none, nothing is sent', async () => {
    const eth0 = [ETH0, ipv4('198.51.100.2'), ipv6('2001:db8::2')];
    const fixture = new AdvertiserFixture({
      host: ['198.51.100.2', '127.0.0.1'],
      interfaces: { eth0, wlan0: [ipv4('203.0.113.7')] },
    });
    await fixture.advertiser.start();
    await fixture.clock.advance(SETTLED_MS);
    expect(new Set(fixture.sent.map(({ on }) => on))).toEqual(new Set(['eth0']));
    expect(hostRecords(fixture.sent.at(-1)?.packet)).toEqual(['198.51.100.2']);
  });

  it.each([
    [[], ['192.0.2.2', '2001:db8::2', '::1']],
    [['0.0.0.0'], ['192.0.2.2']],
    [['::'], ['192.0.2.2', '2001:db8::2', '::1']],
    [
      ['::', '192.0.2.2'],
      ['192.0.2.2', '2001:db8::2', '::1'],
    ],
    [
      ['::', '127.0.0.1'],
      ['2001:db8::2', '::1'],
    ],
    [['2001:DB8:0::2'], ['2001:db8::2']],
    [['fe80::1%eth0', 'nowhere.invalid'], []],
  ])('listening on %j is listening on %j', async (hosts, expected) => {
    const test = await listeningTest(hosts);
    expect(['192.0.2.2', '2001:db8::2', '::1'].filter(test)).toEqual(expected);
  });

  it('two interfaces on one network do not take one another for strangers', async () => {
    const fixture = new AdvertiserFixture({
      interfaces: { eth0: [ETH0], wlan0: [ipv4('192.0.2.3', { mac: '02:00:00:00:00:02' })] },
    });
    await fixture.advertiser.start();
    await fixture.clock.advance(10_000);
    expect(fixture.advertiser.hostName).toBe(HOST);
    const spoken = fixture.sent
      .filter(({ packet }) => packet.type === 'response')
      .map(({ on, packet }) => `${on} ${hostRecords(packet)}`);
    expect(new Set(spoken)).toEqual(new Set(['eth0 192.0.2.2', 'wlan0 192.0.2.3']));
  });

  it('a network that comes later, a lease with another address and a socket that broke: claimed and announced again', async () => {
    const fixture = await new AdvertiserFixture({ interfaces: {} }).settle();
    fixture.interfaces = { eth0: [ETH0] };
    expect(hostRecords((await fixture.sentWithin(8_000)).at(-1)?.packet)).toEqual(['192.0.2.2']);
    fixture.interfaces = { eth0: [ipv4('192.0.2.77')] };
    expect(hostRecords((await fixture.sentWithin(8_000)).at(-1)?.packet)).toEqual(['192.0.2.77']);
    const [socket] = fixture.open;
    if (socket) socket.closed = true;
    socket?.events.onBroken('send ENETUNREACH 224.0.0.251:5353');
    expect(hostRecords((await fixture.sentWithin(8_000)).at(-1)?.packet)).toEqual(['192.0.2.77']);
  });

  it('an IPv6 address that comes or goes is announced, without probing again', async () => {
    const fixture = await new AdvertiserFixture().settle();
    fixture.interfaces = { eth0: [ETH0, ipv6('2001:db8::2')] };
    const came = await fixture.sentWithin(8_000);
    expect(came.map(({ packet }) => packet.type)).toEqual(['response', 'response']);
    expect(hostRecords(came[0]?.packet)).toEqual(['192.0.2.2', '2001:db8::2']);
    fixture.interfaces = { eth0: [ETH0] };
    const [farewell, announced] = await fixture.sentWithin(8_000);
    expect(farewell?.packet.answers).toMatchObject([{ type: 'AAAA', ttl: 0, data: '2001:db8::2' }]);
    expect(hostRecords(announced?.packet)).toEqual(['192.0.2.2']);
  });
});

describe('Coming to an end', () => {
  it('sends goodbye on each network, and nothing any more; a new start begins afresh', async () => {
    const fixture = await new AdvertiserFixture({
      interfaces: { eth0: [ETH0], wlan0: [ipv4('203.0.113.7')] },
    }).settle();
    await fixture.advertiser.stop();
    await fixture.advertiser.stop();
    expect(fixture.sent.map(({ on }) => on)).toEqual(['eth0', 'wlan0']);
    for (const { packet } of fixture.sent) {
      expect(reported(packet.answers)).toContain('PTR _homecast._tcp.local nas._homecast._tcp.local');
      expect(new Set(packet.answers?.map((record) => 'ttl' in record && record.ttl))).toEqual(new Set([0]));
      // Others on the network may have the same entry.
      expect(reported(packet.answers).join()).not.toContain('_services._dns-sd');
    }
    expect(fixture.open).toEqual([]);
    await fixture.clock.advance(0);
    expect(fixture.clock.pendingTimers).toBe(0);
    expect(fixture.advertiser.hostName).toBeUndefined();
    await fixture.advertiser.start();
    expect((await fixture.sentWithin(SETTLED_MS)).at(-1)?.packet.type).toBe('response');
  });

  it('what was never announced needs no farewell', async () => {
    const fixture = new AdvertiserFixture();
    await fixture.advertiser.start();
    await fixture.clock.advance(300);
    fixture.sent.length = 0;
    await fixture.advertiser.stop();
    expect(fixture.sent).toEqual([]);
  });
});

describe('Hostile packets', () => {
  it('forged questions of any number get a bounded number of answers, none larger than a packet', async () => {
    const fixture = await new AdvertiserFixture({
      interfaces: { eth0: [ETH0, ...Array.from({ length: 60 }, (_, at) => ipv6(`2001:db8::${at + 2}`))] },
      relay: { hostname: 'n'.repeat(64) },
    }).settle();
    const name = '_hearthd._tcp.local';
    for (let times = 0; times < 2_000; times += 1) {
      fixture.ask(
        [
          { type: 'PTR', name },
          { type: 'ANY', name: `${'n'.repeat(55)}-hearthd.local` },
        ],
        {},
        { address: '192.0.2.66', port: 1_024 + times },
      );
    }
    const answered = await fixture.sentWithin(10_000);
    expect(answered.length).toBeLessThanOrEqual(80);
    expect(answered.length).toBeGreaterThan(0);
    for (const { bytes } of answered) expect(bytes).toBeLessThanOrEqual(1_400);
  });

  it('a packet that claims sixty thousand questions, or asks one thing a thousand times, costs one answer', async () => {
    const fixture = await new AdvertiserFixture().settle();
    const claims = query([{ type: 'A', name: HOST }]);
    claims.writeUInt16BE(0xffff, 4);
    claims.writeUInt16BE(0xffff, 6);
    fixture.receive(claims);
    expect(await fixture.sentWithin(1_500)).toHaveLength(1);
    fixture.ask(Array.from({ length: 1_000 }, () => ({ type: 'A', name: HOST }) as const));
    const [answer, ...more] = await fixture.sentWithin(1_500);
    expect(more).toEqual([]);
    expect(answer?.packet.answers).toHaveLength(1);
  });

  it('mutated and made-up packets: no throw, and the relay is still advertised, in names of its own', async () => {
    const fixture = await new AdvertiserFixture().settle();
    const seeds = [
      query([{ type: 'ANY', name: 'nas._hearthd._tcp.local' }], { authorities: [srv('nas._hearthd._tcp.local', 1)] }),
      query([{ type: 'PTR', name: '_homecast._tcp.local' }], { answers: [ptr('_homecast._tcp.local')] }),
      response([a(HOST, '192.0.2.2'), srv('nas._hearthd._tcp.local', 5_656, HOST)]),
    ];
    const edit = fc.tuple(fc.nat(150), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(edit, { maxLength: 5 }),
        fc.nat(200),
        async (seed, edits, end) => {
          const packet = Buffer.from(seed.subarray(0, Math.max(end, 12)));
          for (const [at, value] of edits) packet[at % packet.length] = value;
          fixture.receive(packet, { address: '192.0.2.66', port: end % 2 === 0 ? 5_353 : 0 });
        },
      ),
      { numRuns: 2_000 },
    );
    await fixture.clock.advance(30_000);
    fixture.sent.length = 0;
    fixture.ask([{ type: 'PTR', name: '_hearthd._tcp.local' }]);
    expect(reported((await fixture.sentWithin(500))[0]?.packet.answers)[0]).toMatch(
      /^PTR _hearthd\._tcp\.local nas( \(\d+\))?\._hearthd\._tcp\.local$/,
    );
    expect(fixture.clock.pendingTimers).toBeLessThan(4);
  });
});

/** Sets the top bit of the only question's class, which dns-packet cannot. */
function unicastWanted(packet: Buffer): Buffer {
  packet.writeUInt16BE(0x8001, packet.length - 2);
  return packet;
}
