/** What the mapping makes of real products, judged by the Matter library: it refuses values that are not allowed. */
import { afterEach, expect, it } from 'vitest';
import { MulticastNetwork } from '../../../src/drivers/discovery/multicast-network.ts';
import { toHome } from '../../../src/drivers/hap/to-home.ts';
import { parseAccessories } from '../../../src/drivers/hap/wire/accessory-database.ts';
import { createMatterBridges } from '../../../src/drivers/matter/create-matter-bridges.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { type Logger, silentLogger } from '../../../src/kernel/logger.ts';
import { listRecorded, readRecorded } from '../../support/accessories/sample-databases.ts';
import { eventually } from '../../support/e2e-relay.ts';
import { systemCaller } from '../../support/test-home.ts';
import { openPublishedHome, type PublishedHome } from './publication-fixture.ts';

let home: PublishedHome | undefined;
afterEach(async () => {
  await home?.publications.servers.stop();
  await home?.close();
});

it('publishes every recorded product without a refusal', async () => {
  const lines: object[] = [];
  // Another test may have Matter's own port.
  const isOfThePort = (message: string) => message.startsWith('UDP port 5540 is taken');
  const warn: Logger['warn'] = (fields, message) => void (isOfThePort(message) || lines.push({ ...fields, message }));
  const logger: Logger = { ...silentLogger, warn };
  const deps = { interfaces: ['lo'], clock: systemClock, logger };
  const openMatterBridge = createMatterBridges({ ...deps, network: new MulticastNetwork(deps) });
  home = await openPublishedHome({ openMatterBridge });
  for (const [index, name] of listRecorded().entries()) {
    const text = JSON.stringify({ accessories: readRecorded(name) });
    const accessories = toHome(parseAccessories(text), { name, category: 1 });
    const deviceId = `AA:BB:CC:DD:00:${String(index).padStart(2, '0')}`;
    home.driver.attach(home.home.id, { deviceId, name, setupCode: '031-45-160', accessories });
  }
  const { id } = await home.publish({ kind: 'matter' });
  const shown = await eventually(() => {
    const publication = home?.publications.get(systemCaller, id);
    return publication?.status === 'open' && publication;
  }, 'the bridge to open');
  expect(shown.bridges[0]?.accessories).toBeGreaterThan(30);
  expect(shown.bridges[0]?.manualCode).toMatch(/^\d{11}$/);
  expect(lines).toEqual([]);
});
