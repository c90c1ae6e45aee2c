import { describe, expect, it } from 'vitest';
import { startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { startReplayAccessory } from '../support/accessories/replay-accessory.ts';
import { findSwitch, listRecorded, readRecorded } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

interface Counted {
  readonly services: readonly { readonly characteristics: readonly object[] }[];
}

/** Without what the relay adds to lamps that can follow the day. */
const countAll = (database: readonly Counted[]): number =>
  database
    .flatMap(({ services }) => services.flatMap(({ characteristics }) => characteristics))
    .filter((one) => !('characteristicType' in one) || one.characteristicType !== 'adaptive_lighting').length;

describe('recorded accessory databases', () => {
  it.each(listRecorded())('%s is served whole by REST and can be driven', async (name) => {
    using directory = createTempDirectory('recorded');
    const database = readRecorded(name);
    // HAP-NodeJS reads ids as JavaScript numbers, so a product with larger ones is served by the exact server.
    const needsExactIds = database.some(({ aid }) => !Number.isSafeInteger(Number(aid)));
    const start = needsExactIds ? startRawAccessory : startReplayAccessory;
    const accessory = await start({ database, name, paired: [KNOWN_CONTROLLER], mdns: false });
    sharePairings(directory, [accessory]);
    const relay = await E2eRelay.start({ directory });
    try {
      await relay.untilStatus(accessory.deviceId, 'connected');
      const served = (await relay.get('/rest/accessories')).body;
      expect(served).toHaveLength(database.length);
      expect(countAll(served)).toBe(countAll(database));
      expect((await relay.get('/rest/state')).status).toBe(200);
      expect((await relay.get('/rest/state?form=names')).status).toBe(200);

      const target = findSwitch(database);
      if (!target) return;
      const settable = served.find((item: { services: { characteristics: { characteristicType: string }[] }[] }) =>
        item.services.some(({ characteristics }) =>
          characteristics.some(({ characteristicType }) => characteristicType === 'power_state'),
        ),
      );
      const state = (await relay.get('/rest/state')).body;
      const [path] = findByEnding(state, settable.id.slice(-4));
      if (!path) throw new Error('the switch is not in the state tree');
      const [home = '', room = '', key = ''] = path;
      const { body } = await relay.post('/rest/state', { [home]: { [room]: { [key]: { on: true } } } });
      expect(body).toMatchObject({ updated: 1, failed: 0 });
      expect(accessory.writes.length).toBeGreaterThan(0);
      const { aid, iid } = accessory.writes[0] ?? { aid: '', iid: '' };
      accessory.set(aid, iid, false);
      await eventually(async () => {
        const now = (await relay.get('/rest/state')).body[home][room][key];
        return now.on === false || now.on_2 === false;
      }, 'the event to be visible');
    } finally {
      await relay[Symbol.asyncDispose]();
      await accessory.stop();
    }
  });
});

function findByEnding(state: Record<string, Record<string, object>>, ending: string): string[][] {
  return Object.entries(state)
    .filter(([home]) => !home.startsWith('_'))
    .flatMap(([home, rooms]) =>
      Object.entries(rooms)
        .filter(([room]) => !room.startsWith('_'))
        .flatMap(([room, accessories]) =>
          Object.keys(accessories)
            .filter((key) => key.endsWith(`_${ending}`))
            .map((key) => [home, room, key]),
        ),
    );
}
