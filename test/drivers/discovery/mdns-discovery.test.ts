import { describe, expect, it } from 'vitest';
import { DiscoveryFixture } from './discovery-fixture.ts';
import {
  addresses,
  announcement,
  device,
  goodbye,
  knownAnswersOf,
  LABEL_DOT,
  ptr,
  questionsOf,
  response,
  srv,
  txt,
  withLabelDots,
} from './packets.ts';

const ID = 'AA:BB:CC:DD:EE:01';

describe('What an announcement contains', () => {
  it('a device is found at its announcement, with everything in it', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device({ txt: { 'c#': '7', 's#': '3', sf: '0', ff: '2', ci: '8', md: 'Bulb' } })));
    expect(fixture.takeSightings()).toEqual(['found Lamp']);
    const now = fixture.clock.now();
    expect(fixture.discovery.find(ID)).toEqual({
      deviceId: ID,
      name: 'Lamp',
      model: 'Bulb',
      category: 8,
      configNumber: 7,
      stateNumber: 3,
      statusFlags: 0,
      featureFlags: 2,
      protocolVersion: '1.1',
      host: 'lamp.local',
      port: 51826,
      addresses: ['192.0.2.10'],
      via: 'mdns',
      firstSeenAt: now,
      lastSeenAt: now,
    });
  });

  it('the id is found in any case and kept in upper case', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device({ id: 'aa:bb:cc:dd:ee:01' })));
    expect(fixture.discovery.find('aa:bb:cc:dd:ee:01')?.deviceId).toBe(ID);
  });

  it('a repeat is a sign of life and moves lastSeenAt', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    await fixture.clock.advance(5_000);
    fixture.receive(announcement(device()));
    expect(fixture.takeSightings()).toEqual(['found Lamp', 'seen Lamp']);
    const { firstSeenAt, lastSeenAt } = fixture.discovery.find(ID) ?? {};
    expect((lastSeenAt ?? 0) - (firstSeenAt ?? 0)).toBe(5_000);
  });

  it('a listener that throws harms neither the others nor the table, and one that ended receives nothing', async () => {
    const fixture = new DiscoveryFixture();
    const end = fixture.discovery.onSighting(() => {
      throw new Error('listener');
    });
    const received: string[] = [];
    fixture.discovery.onSighting(({ kind }) => received.push(kind));
    await fixture.start();
    fixture.receive(announcement(device()));
    end();
    fixture.receive(announcement(device()));
    expect(received).toEqual(['found', 'seen']);
    expect(fixture.log.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('the list is sorted by name, then id', async () => {
    const fixture = await new DiscoveryFixture().start();
    for (const [id, name, port] of [
      ['AA:BB:CC:DD:EE:03', 'B', 3],
      ['AA:BB:CC:DD:EE:02', 'B', 2],
      ['AA:BB:CC:DD:EE:09', 'A', 1],
    ] as const) {
      fixture.receive(announcement(device({ id, name, port, host: `h${port}.local` })), `192.0.2.${port}`);
    }
    expect(fixture.discovery.list().map(({ deviceId }) => deviceId.at(-1))).toEqual(['9', '2', '3']);
  });
});

describe('Changes', () => {
  const cases = [
    ['TXT only', () => response([txt(device({ txt: { 'c#': '2' } }))]), { configNumber: 2 }],
    ['TXT only, now paired', () => response([txt(device({ txt: { sf: '0' } }))]), { statusFlags: 0 }],
    ['SRV only, another port', () => response([srv(device({ port: 6000 }))]), { port: 6000 }],
    ['A only', () => response(addresses(device({ ipv4: ['192.0.2.77'] }))), { addresses: ['192.0.2.77'] }],
    [
      'A in the additionals',
      () => response([], addresses(device({ ipv4: ['192.0.2.78'] }))),
      { addresses: ['192.0.2.78'] },
    ],
    [
      'all of it',
      () => announcement(device({ port: 7000, txt: { md: 'New' }, ipv4: ['192.0.2.79'] })),
      { port: 7000, model: 'New', addresses: ['192.0.2.79'] },
    ],
  ] as const;
  it.each(cases)('%s', async (_, packet, expected) => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    await fixture.clock.advance(5_000);
    fixture.takeSightings();
    fixture.receive(packet());
    expect(fixture.takeSightings()).toEqual(['changed Lamp']);
    expect(fixture.discovery.find(ID)).toMatchObject(expected);
  });

  it('a device that moved to another address and sends from there is reached there first, and only there in the end', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device({ ipv4: ['192.0.2.5'] })), '192.0.2.5');
    await fixture.clock.advance(30_000);
    fixture.receive(announcement(device({ ipv4: ['192.0.2.77'] })), '192.0.2.77');
    expect(fixture.discovery.find(ID)?.addresses[0]).toBe('192.0.2.77');
    await fixture.clock.advance(91_000);
    expect(fixture.discovery.find(ID)?.addresses).toEqual(['192.0.2.77']);
    expect(fixture.takeSightings()).not.toContain('lost Lamp');
  });

  it('a device that moved and announces nothing but its new address is followed', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device({ ipv4: ['192.0.2.5'] })), '192.0.2.5');
    await fixture.clock.advance(30_000);
    fixture.receive(response(addresses(device({ ipv4: ['192.0.2.77'] }))), '192.0.2.77');
    expect(fixture.discovery.find(ID)?.addresses).toEqual(['192.0.2.77', '192.0.2.5']);
  });

  it('forty bridges on one host all follow when the host moves', async () => {
    const fixture = await new DiscoveryFixture().start();
    const bridges = Array.from({ length: 40 }, (_, at) =>
      device({ id: `AA:BB:CC:DD:EE:${hex(at)}`, name: `Bridge ${at}`, port: 51_000 + at }),
    );
    for (const bridge of bridges) fixture.receive(announcement(bridge));
    await fixture.clock.advance(5_000);
    fixture.receive(response(addresses(device({ ipv4: ['192.0.2.77'] }))));
    await fixture.clock.advance(1_000);
    expect(new Set(fixture.discovery.list().map((bridge) => bridge.addresses[0]))).toEqual(new Set(['192.0.2.77']));
    expect(fixture.discovery.list()).toHaveLength(40);
  });

  it('a thousand claims to one id leave it with the first, and cost little', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.onSend = (packet) => {
      if (questionsOf(packet).includes('SRV Lamp._hap._tcp.local')) fixture.receive(announcement(device()));
    };
    fixture.receive(announcement(device()));
    for (let at = 0; at < 1_000; at += 1) {
      fixture.receive(announcement(device({ name: `Clone ${at}`, host: `c${at}.local`, port: at + 1 })), '192.0.2.66');
    }
    await fixture.clock.advance(5_000);
    expect(fixture.discovery.list()).toMatchObject([{ deviceId: ID, name: 'Lamp', port: 51826 }]);
    expect(fixture.discovery.find(ID)?.refusedServers?.length).toBeLessThanOrEqual(31);
    expect(fixture.warnings()).toHaveLength(1);
  });

  it('a device whose address and port both changed is followed once the old place stays silent', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device({ ipv4: ['192.0.2.5'] })), '192.0.2.5');
    await fixture.clock.advance(30_000);
    fixture.receive(announcement(device({ ipv4: ['192.0.2.77'], port: 6000 })), '192.0.2.77');
    await fixture.clock.advance(3_000);
    expect(fixture.discovery.find(ID)).toMatchObject({ port: 6000, addresses: ['192.0.2.77'] });
    expect(fixture.warnings()).toEqual([]);
  });

  it('a device that came back under another name within a moment keeps its id and is no clone', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    await fixture.clock.advance(30_000);
    fixture.receive(announcement(device({ name: 'Lamp (2)' })));
    await fixture.clock.advance(3_000);
    expect(fixture.discovery.find(ID)?.name).toBe('Lamp (2)');
    expect(fixture.discovery.list()).toHaveLength(1);
    expect(fixture.warnings()).toEqual([]);
  });

  it('a device that was reset takes a new id: the old one is lost, the new one found', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    fixture.takeSightings();
    fixture.receive(announcement(device({ id: 'AA:BB:CC:DD:EE:02' })));
    expect(fixture.sightings.map(({ kind, advertisement }) => `${kind} ${advertisement.deviceId}`)).toEqual([
      `lost ${ID}`,
      'found AA:BB:CC:DD:EE:02',
    ]);
  });
});

describe('Records split over packets', () => {
  it.each([
    ['PTR, SRV, TXT, A', [0, 1, 2, 3]],
    ['A, TXT, SRV, PTR', [3, 2, 1, 0]],
    ['TXT, A, SRV', [2, 3, 1]],
    ['SRV, TXT', [1, 2]],
  ] as const)('in the order %s the device is found', async (_, order) => {
    const fixture = await new DiscoveryFixture().start();
    const parts = [[ptr(device())], [srv(device())], [txt(device())], addresses(device())];
    for (const at of order) fixture.receive(response(parts[at] ?? []));
    expect(fixture.takeSightings()[0]).toBe('found Lamp');
    expect(fixture.discovery.find(ID)?.addresses).toEqual(['192.0.2.10']);
  });

  it('a PTR record alone makes us ask for the rest, three times within three seconds, and no more', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.takeQuestions();
    fixture.receive(response([ptr(device())]));
    await fixture.clock.advance(3_000);
    const asked = fixture.sent.splice(0).filter(({ packet }) => questionsOf(packet)[0] !== 'PTR _hap._tcp.local');
    expect(asked.flatMap(({ packet }) => questionsOf(packet))).toEqual([
      ...['SRV Lamp._hap._tcp.local', 'TXT Lamp._hap._tcp.local'],
      ...['SRV Lamp._hap._tcp.local', 'TXT Lamp._hap._tcp.local'],
      ...['SRV Lamp._hap._tcp.local', 'TXT Lamp._hap._tcp.local'],
    ]);
    await fixture.clock.advance(40_000);
    expect(new Set(fixture.takeQuestions())).toEqual(new Set(['PTR _hap._tcp.local']));
  });

  it('a PTR record alone, answered when asked, is found within three seconds', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.onSend = (packet) => {
      const asked = questionsOf(packet);
      if (asked.includes('SRV Lamp._hap._tcp.local'))
        fixture.clock.after(50, () => fixture.receive(response([srv(device())])));
      if (asked.includes('TXT Lamp._hap._tcp.local'))
        fixture.clock.after(50, () => fixture.receive(response([txt(device())])));
      if (asked.includes('A lamp.local')) fixture.clock.after(50, () => fixture.receive(response(addresses(device()))));
    };
    fixture.receive(response([ptr(device())]));
    await fixture.clock.advance(3_000);
    expect(fixture.discovery.find(ID)?.addresses).toEqual(['192.0.2.10']);
  });

  it('an announcement without an address is reached at its sender, and asked for its addresses', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device({ ipv4: [] })), '192.0.2.33');
    expect(fixture.discovery.find(ID)?.addresses).toEqual(['192.0.2.33']);
    fixture.takeQuestions();
    await fixture.clock.advance(500);
    expect(fixture.takeQuestions()).toEqual(['A lamp.local', 'AAAA lamp.local']);
  });

  it('a name that holds a dot is asked for label by label', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(withLabelDots(response([ptr(device({ name: `Room${LABEL_DOT}v1${LABEL_DOT}2` }))])));
    await fixture.clock.advance(200);
    const query = fixture.sent.at(-1)?.packet.toString('latin1') ?? '';
    expect(query).toContain('\x09Room.v1.2\x04_hap\x04_tcp\x05local\x00');
  });
});

describe('Time to live', () => {
  it('a device that went without a word is asked after at 80, 85, 90 and 95 % and lost when its SRV record expires', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    fixture.takeSightings();
    const srvAsked: number[] = [];
    fixture.onSend = (packet) => {
      if (questionsOf(packet).includes('SRV Lamp._hap._tcp.local')) srvAsked.push(fixture.clock.monotonic());
    };
    await fixture.clock.advance(119_000);
    expect(fixture.takeSightings()).toEqual([]);
    expect(srvAsked.map((at) => Math.round(at / 1_000))).toEqual([96, 102, 108, 114]);
    await fixture.clock.advance(1_500);
    expect(fixture.takeSightings()).toEqual(['lost Lamp']);
    expect(fixture.discovery.list()).toEqual([]);
  });

  it('a device that answers stays for a day, and the questions stay few', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.onSend = (packet) => {
      const asked = questionsOf(packet);
      if (asked[0] === 'PTR _hap._tcp.local' && knownAnswersOf(packet).length > 0) return;
      fixture.clock.after(60, () => fixture.receive(announcement(device())));
    };
    await fixture.clock.advance(1_000);
    await fixture.clock.advance(24 * 3_600_000);
    expect(fixture.takeSightings().filter((sighting) => sighting === 'lost Lamp' || sighting === 'found Lamp')).toEqual(
      ['found Lamp'],
    );
    // A browsing question a minute and a refresh every hundred seconds.
    expect(fixture.sent.length).toBeLessThan(4_000);
  });

  it('a goodbye is a loss after one second of grace', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    fixture.receive(goodbye(device()));
    await fixture.clock.advance(900);
    expect(fixture.takeSightings()).not.toContain('lost Lamp');
    await fixture.clock.advance(400);
    expect(fixture.takeSightings()).toEqual(['lost Lamp']);
  });

  it('a goodbye taken back within the grace loses nothing', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    fixture.receive(goodbye(device()));
    await fixture.clock.advance(500);
    fixture.receive(announcement(device({ port: 6000 })));
    await fixture.clock.advance(5_000);
    expect(fixture.takeSightings()).not.toContain('lost Lamp');
    expect(fixture.discovery.find(ID)?.port).toBe(6000);
  });

  it('silence of the network for a day leaves the browsing going: a device that returns is found at once', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    await fixture.clock.advance(24 * 3_600_000);
    fixture.takeSightings();
    fixture.takeQuestions();
    await fixture.clock.advance(60_000);
    expect(fixture.takeQuestions()).toEqual(['PTR _hap._tcp.local']);
    fixture.receive(announcement(device()));
    expect(fixture.takeSightings()).toEqual(['found Lamp']);
  });

  it('ten thousand instances that live for ten seconds come and go without a trace', async () => {
    const fixture = await new DiscoveryFixture().start();
    const instance = (at: number) =>
      device({
        id: `AA:BB:CC:DD:${hex(at >> 8)}:${hex(at & 0xff)}`,
        name: `Junk ${at}`,
        host: `junk-${at}.local`,
        ttl: 10,
      });
    for (let at = 0; at < 10_000; at += 1) {
      const junk = instance(at);
      fixture.receive(response([ptr(junk, 10)], [srv(junk), txt(junk, 10), ...addresses(junk)]), `192.0.2.${at % 200}`);
      if (at % 1_000 === 999) await fixture.clock.advance(1_000);
    }
    expect(fixture.discovery.list().length).toBeLessThanOrEqual(4_096);
    await fixture.clock.advance(15_000);
    expect(fixture.discovery.list()).toEqual([]);
    expect(fixture.clock.pendingTimers).toBeLessThan(6);
    fixture.takeSightings();
    fixture.receive(announcement(device()));
    expect(fixture.takeSightings()).toEqual(['found Lamp']);
  });

  it('a flood from one host leaves the devices already known alone, and room for those of other hosts', async () => {
    const limits = { records: 400, recordsPerSender: 200, strayAddresses: 50, devices: 200 };
    const fixture = await new DiscoveryFixture({ limits }).start();
    fixture.receive(announcement(device()));
    for (let at = 0; at < 2_000; at += 1) {
      const junk = device({
        id: `AA:BB:CC:00:${hex(at >> 8)}:${hex(at & 0xff)}`,
        name: `J${at}`,
        host: `j${at}.local`,
      });
      fixture.receive(announcement(junk), '192.0.2.66');
    }
    fixture.receive(announcement(device({ id: 'AA:BB:CC:DD:EE:02', name: 'New', host: 'new.local' })), '192.0.2.11');
    expect(fixture.discovery.find(ID)).toBeDefined();
    expect(fixture.discovery.find('AA:BB:CC:DD:EE:02')).toBeDefined();
    expect(fixture.discovery.list().length).toBeLessThan(120);
  });
});

describe('Questions', () => {
  it('the browsing question backs off from one second to sixty', async () => {
    const fixture = await new DiscoveryFixture().start();
    await fixture.clock.advance(250_000);
    expect(fixture.sent.map(({ at }) => at / 1_000)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  });

  it('devices received whole and lately need not answer it, others must', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    fixture.receive(response([ptr(device({ name: 'Half', host: 'half.local' }))]), '192.0.2.11');
    await fixture.clock.advance(1_000);
    const browse = fixture.sent.filter(({ packet }) => questionsOf(packet)[0] === 'PTR _hap._tcp.local').at(-1);
    expect(browse && knownAnswersOf(browse.packet)).toEqual(['Lamp._hap._tcp.local']);
  });

  it('known answers of five hundred devices still make one packet that fits an Ethernet frame', async () => {
    const fixture = await new DiscoveryFixture().start();
    for (let at = 0; at < 500; at += 1) {
      const one = device({
        id: `AA:BB:CC:DD:${hex(at >> 8)}:${hex(at & 0xff)}`,
        name: `Device ${at}`,
        host: `d${at}.local`,
      });
      fixture.receive(announcement(one), `192.0.2.${at % 250}`);
    }
    fixture.takeQuestions();
    await fixture.clock.advance(1_000);
    expect(fixture.sent[0]?.packet.length).toBeLessThanOrEqual(1_400);
    expect(knownAnswersOf(fixture.sent[0]?.packet ?? Buffer.alloc(0)).length).toBeGreaterThan(20);
  });

  it('refresh asks everyone, at most once a second', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    await fixture.clock.advance(2_000);
    fixture.takeQuestions();
    for (let times = 0; times < 5; times += 1) fixture.discovery.refresh();
    expect(fixture.sent.map(({ packet }) => knownAnswersOf(packet))).toEqual([[]]);
    await fixture.clock.advance(1_000);
    fixture.takeQuestions();
    fixture.discovery.refresh();
    expect(fixture.takeQuestions()).toEqual(['PTR _hap._tcp.local']);
  });

  it('refresh of one device asks for its records, at most once a second', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device()));
    await fixture.clock.advance(1_500);
    fixture.takeQuestions();
    fixture.discovery.refresh(ID);
    fixture.discovery.refresh(ID.toLowerCase());
    await fixture.clock.advance(300);
    const name = 'Lamp._hap._tcp.local';
    expect(fixture.takeQuestions()).toEqual([`SRV ${name}`, `TXT ${name}`, 'A lamp.local', 'AAAA lamp.local']);
  });

  it('refresh of an unknown device browses', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.takeQuestions();
    fixture.discovery.refresh('11:22:33:44:55:66');
    expect(fixture.takeQuestions()).toEqual(['PTR _hap._tcp.local']);
  });
});

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0').toUpperCase();
}
