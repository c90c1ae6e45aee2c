import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DriverRouter } from '../../src/drivers/driver-router.ts';
import type { DriverWrite, WriteOutcome } from '../../src/home/accessory-driver.ts';
import type { AccessoryAddress } from '../../src/home/model.ts';

/** Confirms each write, and records the driver that got it. */
function recorder() {
  const calls: (readonly DriverWrite[])[] = [];
  const identified: AccessoryAddress[] = [];
  return {
    calls,
    identified,
    async write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
      calls.push(writes);
      return writes.map(({ value }) => ({ ok: true, value }));
    },
    async identify(address: AccessoryAddress): Promise<void> {
      identified.push(address);
    },
  };
}

const DEVICE = 'AA:BB:CC:DD:EE:FF';
const VIRTUAL = 'virtual:0b7f9f5e-0000-4000-8000-00000000a0a0';

describe('the router', () => {
  it('gives each driver its part in one call and keeps the order of the outcomes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(DEVICE, VIRTUAL), { maxLength: 20 }), async (sources) => {
        const [hap, virtual] = [recorder(), recorder()];
        const router = new DriverRouter({ hap, virtual });
        const writes = sources.map((source, value) => ({ address: { source, aid: '1' }, iid: '9', value }));
        const outcomes = await router.write(writes);
        expect(outcomes).toEqual(writes.map(({ value }) => ({ ok: true, value })));
        for (const [driver, source] of [
          [hap, DEVICE],
          [virtual, VIRTUAL],
        ] as const) {
          const own = writes.filter(({ address }) => address.source === source);
          expect(driver.calls).toEqual(own.length > 0 ? [own] : []);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('asks the right one to identify an accessory', async () => {
    const [hap, virtual] = [recorder(), recorder()];
    const router = new DriverRouter({ hap, virtual });
    for (const source of [DEVICE, VIRTUAL]) await router.identify({ source, aid: '1' });
    expect([hap.identified, virtual.identified]).toEqual([
      [{ source: DEVICE, aid: '1' }],
      [{ source: VIRTUAL, aid: '1' }],
    ]);
  });

  it('does not wait for the devices to write what is virtual', async () => {
    const virtual = recorder();
    const hap = { write: () => new Promise<never>(() => undefined), identify: async () => undefined };
    const router = new DriverRouter({ hap, virtual });
    void router.write([DEVICE, VIRTUAL].map((source) => ({ address: { source, aid: '1' }, iid: '9', value: true })));
    expect(virtual.calls).toHaveLength(1);
  });
});
