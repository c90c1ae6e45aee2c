import { readFileSync, statSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { spawnMatterChild } from '../../../src/drivers/matter/child-process.ts';
import { MatterSupervisor } from '../../../src/drivers/matter/supervisor.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { eventually } from '../../support/e2e-relay.ts';
import { FakeMatterHome, IDENTITY, MemoryMatterStorage, STEADY_NETWORK } from './fake-home.ts';
import { bundledChild } from './matter-network.ts';
import { SAMPLES } from './sample-endpoints.ts';

let bridge: MatterSupervisor | undefined;
afterEach(() => bridge?.stop());

it('is bundled into one file of at most 10 MB, which loads nothing that would have to be installed', () => {
  const file = bundledChild();
  expect(statSync(file).size).toBeLessThanOrEqual(10 * 1_024 * 1_024);
  const imported = [...readFileSync(file, 'utf8').matchAll(/^import\b[^;]*?['"]([^'"]+)['"];$/gm)].map(
    ([, name]) => name,
  );
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([]);
});

it('runs the Matter process from the sources as well', async () => {
  bridge = new MatterSupervisor({
    identity: IDENTITY,
    storage: new MemoryMatterStorage(),
    content: new FakeMatterHome(Object.values(SAMPLES)),
    preferredPort: undefined,
    yieldsMatterPort: false,
    onStatus: () => {},
    spawn: spawnMatterChild,
    networkInterface: 'lo',
    network: STEADY_NETWORK,
    version: '1.2.3',
    clock: systemClock,
    logger: silentLogger,
  });
  bridge.start();
  const { status } = await eventually(() => bridge?.status.state === 'open' && bridge, 'the bridge to open', 120_000);
  expect(status).toMatchObject({ manualCode: '23181529386', fabrics: [] });
});
