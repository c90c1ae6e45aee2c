import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DiscoveryFixture } from './discovery-fixture.ts';
import { announcement, device, goodbye, response, srv, txt } from './packets.ts';

const PACKETS = 100_000;
/**
 * No single packet may hold up the event loop: the goal is 50 ms, the limit leaves room for what the runtime does
 * meanwhile.
 */
const MAX_STALL_MS = 500;
/** A machine that was busy at that moment is quicker at another one; a packet that holds everything up always does. */
const SECOND_LOOKS = 5;

describe('Hostile packets', () => {
  it('a hundred thousand mutated packets: no throw, no stall, bounded memory, and the honest device stands', async () => {
    const fixture = await new DiscoveryFixture().start();
    const random = lcg(20_260_115);
    const seeds = [
      announcement(device({ ipv6: ['fe80::1', '2001:db8::1'] })),
      announcement(device({ name: 'Küche 💡', host: 'k.local', id: 'AA:BB:CC:DD:EE:77' })),
      response([srv(device({ name: 'Split' }))]),
      response([txt(device({ txt: { 'c#': 'x', ci: '999', md: '\u0000', sf: '-1' } }))]),
      goodbye(device()),
    ];
    const honest = device({ id: '10:20:30:40:50:60', name: 'Honest', host: 'honest.local', ipv4: ['198.51.100.1'] });
    const timeOf = (packet: Buffer): number => {
      const before = performance.now();
      fixture.receive(packet, '192.0.2.1');
      return performance.now() - before;
    };
    let worst: { packet: Buffer; took: number } = { packet: Buffer.alloc(0), took: 0 };
    for (let at = 0; at < PACKETS; at += 1) {
      const packet = mutate(seeds[at % seeds.length] as Buffer, random);
      const before = performance.now();
      fixture.receive(packet, `192.0.2.${at % 20}`);
      const took = performance.now() - before;
      if (took > worst.took) worst = { packet, took };
      if (at % 20_000 === 0) {
        fixture.receive(announcement(honest), '198.51.100.1');
        await fixture.clock.advance(2_000);
      }
    }
    const again = Array.from({ length: SECOND_LOOKS }, () => timeOf(worst.packet));
    expect(Math.min(worst.took, ...again)).toBeLessThan(MAX_STALL_MS);
    expect(fixture.discovery.find('10:20:30:40:50:60')).toMatchObject({ name: 'Honest', port: 51826 });
    expect(fixture.discovery.list().length).toBeLessThan(4_097);
    for (const { deviceId } of fixture.discovery.list()) expect(deviceId).toMatch(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/);
    await fixture.clock.advance(76 * 60_000);
    expect(fixture.discovery.list()).toEqual([]);
    expect(fixture.clock.pendingTimers).toBeLessThan(6);
  });

  it('for all announcements of devices, the table holds exactly the last ones', async () => {
    const ids = ['AA:00:00:00:00:01', 'AA:00:00:00:00:02', 'AA:00:00:00:00:03'];
    const step = fc.record({
      at: fc.nat(ids.length - 1),
      port: fc.integer({ min: 1, max: 65_535 }),
      configNumber: fc.integer({ min: 1, max: 65_535 }),
      leaves: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const fixture = await new DiscoveryFixture().start();
        const expected = new Map<string, [number, number]>();
        for (const { at, port, configNumber, leaves } of steps) {
          const id = ids[at] as string;
          const one = device({ id, name: `D${at}`, host: `d${at}.local`, port, txt: { 'c#': String(configNumber) } });
          fixture.receive(leaves ? goodbye(one) : announcement(one), `192.0.2.${at + 10}`);
          if (leaves) expected.delete(id);
          else expected.set(id, [port, configNumber]);
          await fixture.clock.advance(1_500);
        }
        const table = fixture.discovery
          .list()
          .map(({ deviceId, port, configNumber }) => [deviceId, [port, configNumber]]);
        expect(new Map(table as never)).toEqual(expected);
        fixture.discovery.stop();
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });
});

/** A few bytes changed, the packet cut, or stuffed. */
function mutate(seed: Buffer, random: () => number): Buffer {
  const packet = Buffer.from(seed);
  const kind = random();
  if (kind < 0.15) return packet.subarray(0, Math.floor(random() * packet.length));
  if (kind < 0.2) return Buffer.concat([packet, Buffer.alloc(Math.floor(random() * 200), Math.floor(random() * 256))]);
  const changes = 1 + Math.floor(random() * 6);
  const from = kind < 0.3 ? 0 : 4;
  for (let at = 0; at < changes; at += 1) {
    packet[from + Math.floor(random() * (packet.length - from))] = Math.floor(random() * 256);
  }
  return packet;
}

/** Numbers that look random and are the same in every run. */
function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
