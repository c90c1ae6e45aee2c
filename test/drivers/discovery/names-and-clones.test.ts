import { describe, expect, it } from 'vitest';
import { DiscoveryFixture } from './discovery-fixture.ts';
import {
  announcement,
  device,
  type FakeDevice,
  goodbye,
  LABEL_DOT,
  questionsOf,
  response,
  srv,
  withLabelDots,
} from './packets.ts';

const ID = 'AA:BB:CC:DD:EE:01';

describe('Names', () => {
  it.each([
    ['dots', `Living${LABEL_DOT}Room v1${LABEL_DOT}2`, 'Living.Room v1.2'],
    ['emoji', 'Lamp 💡 Küche', 'Lamp 💡 Küche'],
    ['63 bytes', 'x'.repeat(63), 'x'.repeat(63)],
    ['a trailing space', 'Sense ', 'Sense '],
    ['a backslash', 'A\\b', 'A\\b'],
    ['control characters', 'A\u001b[2JB', 'A\ufffd[2JB'],
  ])('%s in a name are kept whole', async (_, sent, shown) => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(withLabelDots(announcement(device({ name: sent }))));
    expect(fixture.discovery.list().map(({ name }) => name)).toEqual([shown]);
  });

  it('names differ in case only for one device, which is then the same one', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device({ name: 'Lamp' })));
    fixture.receive(response([srv(device({ name: 'LAMP', port: 6000 }))]));
    expect(fixture.discovery.list()).toMatchObject([{ port: 6000 }]);
  });

  it('fifty accessories all called Lamp, on hosts all called lamp.local, are fifty devices', async () => {
    const fixture = await new DiscoveryFixture().start();
    const fifty = Array.from({ length: 50 }, (_, at) =>
      device({ id: `AA:BB:CC:DD:EE:${(at + 16).toString(16).toUpperCase()}`, ipv4: [`192.0.2.${at + 10}`], port: 80 }),
    );
    for (const round of [1, 2]) {
      for (const one of fifty) fixture.receive(announcement(one), one.ipv4[0]);
      await fixture.clock.advance(round * 3_000);
    }
    expect(fixture.discovery.list()).toHaveLength(50);
    for (const { id, ipv4 } of fifty) expect(fixture.discovery.find(id)?.addresses).toEqual(ipv4);
    fixture.takeSightings();
    const [first, second] = fifty as [FakeDevice, FakeDevice];
    fixture.receive(goodbye(first), first.ipv4[0]);
    await fixture.clock.advance(2_000);
    expect(fixture.discovery.find(first.id)).toBeUndefined();
    expect(fixture.discovery.find(second.id)).toBeDefined();
  });

  it('two accessories of one name on one host name of their own: each keeps its own address', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(device({ ipv4: ['192.0.2.5'] })), '192.0.2.5');
    fixture.receive(announcement(device({ id: 'AA:BB:CC:DD:EE:02', ipv4: ['192.0.2.6'] })), '192.0.2.6');
    expect(fixture.discovery.find(ID)?.addresses).toEqual(['192.0.2.5']);
    expect(fixture.discovery.find('AA:BB:CC:DD:EE:02')?.addresses).toEqual(['192.0.2.6']);
  });
});

describe('The same id from two servers', () => {
  const first = device({ ipv4: ['192.0.2.5'] });
  const clone = device({ name: 'Lamp (2)', host: 'clone.local', ipv4: ['192.0.2.6'], port: 7000 });

  function answering(fixture: DiscoveryFixture, devices: readonly FakeDevice[]): void {
    fixture.onSend = (packet) => {
      for (const one of devices) {
        const asked = questionsOf(packet).includes(`SRV ${one.name}._hap._tcp.local`);
        if (asked) fixture.clock.after(50, () => fixture.receive(announcement(one), one.ipv4[0]));
      }
    };
  }

  it('the first keeps the id while it answers; the clone is named once in the log and beside the first', async () => {
    const fixture = await new DiscoveryFixture().start();
    answering(fixture, [first, clone]);
    fixture.receive(announcement(first), '192.0.2.5');
    fixture.receive(announcement(clone), '192.0.2.6');
    await fixture.clock.advance(9 * 60_000);
    expect(fixture.discovery.list()).toHaveLength(1);
    expect(fixture.discovery.find(ID)).toMatchObject({
      name: 'Lamp',
      port: 51826,
      addresses: ['192.0.2.5'],
      refusedServers: ['lamp (2)._hap._tcp.local at clone.local:7000'],
    });
    expect(fixture.warnings()).toHaveLength(1);
  });

  it('a clone that announces itself all the time does not make us ask all the time', async () => {
    const fixture = await new DiscoveryFixture().start();
    answering(fixture, [first]);
    fixture.receive(announcement(first), '192.0.2.5');
    await fixture.clock.advance(1_000);
    fixture.takeQuestions();
    for (let second = 0; second < 60; second += 1) {
      fixture.receive(announcement(clone), '192.0.2.6');
      await fixture.clock.advance(1_000);
    }
    expect(fixture.takeQuestions().filter((question) => question.startsWith('SRV')).length).toBeLessThanOrEqual(6);
    expect(fixture.discovery.find(ID)?.port).toBe(51826);
  });

  it('the clone gets the id when the first sends goodbye', async () => {
    const fixture = await new DiscoveryFixture().start();
    answering(fixture, [first, clone]);
    fixture.receive(announcement(first), '192.0.2.5');
    fixture.receive(announcement(clone), '192.0.2.6');
    await fixture.clock.advance(5_000);
    answering(fixture, [clone]);
    fixture.receive(goodbye(first), '192.0.2.5');
    await fixture.clock.advance(2_000);
    expect(fixture.discovery.find(ID)).toMatchObject({ name: 'Lamp (2)', port: 7000 });
    expect(fixture.discovery.find(ID)?.refusedServers).toBeUndefined();
  });

  it('the clone gets the id when the first is silent', async () => {
    const fixture = await new DiscoveryFixture().start();
    fixture.receive(announcement(first), '192.0.2.5');
    await fixture.clock.advance(10_000);
    fixture.receive(announcement(clone), '192.0.2.6');
    await fixture.clock.advance(2_500);
    expect(fixture.discovery.find(ID)).toMatchObject({ port: 7000 });
    expect(fixture.takeSightings()).not.toContain('lost Lamp');
  });

  it('one server received on two interfaces is one server', async () => {
    const fixture = new DiscoveryFixture();
    const wlan0 = {
      ...(fixture.interfaces.eth0?.[0] as object),
      address: '198.51.100.2',
      cidr: '198.51.100.2/24',
    } as never;
    fixture.interfaces = { ...fixture.interfaces, wlan0: [wlan0] };
    await fixture.start();
    const both = device({ ipv4: ['192.0.2.5', '198.51.100.5'] });
    fixture.receive(announcement(both), '192.0.2.5', 'eth0');
    fixture.receive(announcement(both), '198.51.100.5', 'wlan0');
    await fixture.clock.advance(5_000);
    expect(fixture.discovery.find(ID)?.addresses).toEqual(expect.arrayContaining(['192.0.2.5', '198.51.100.5']));
    expect(fixture.warnings()).toEqual([]);
  });

  it('two devices that swapped their address records stay two devices, each with the address it sent', async () => {
    const fixture = await new DiscoveryFixture().start();
    const one = device({ ipv4: ['192.0.2.6'] });
    const two = device({ id: 'AA:BB:CC:DD:EE:02', name: 'Two', host: 'two.local', ipv4: ['192.0.2.5'] });
    fixture.receive(announcement(one), '192.0.2.5');
    fixture.receive(announcement(two), '192.0.2.6');
    expect(fixture.discovery.list().map(({ name, addresses }) => [name, ...addresses])).toEqual([
      ['Lamp', '192.0.2.6'],
      ['Two', '192.0.2.5'],
    ]);
  });
});
