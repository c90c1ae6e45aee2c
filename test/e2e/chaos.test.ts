import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { ChaosFixture, isCommand } from './chaos-fixture.ts';

const BUSY = -70403;
const BRIGHTNESS = '10';

/**
 * Each hand has a connection to the relay, and so has who looks at the outcome; both their ends are in this process.
 */
const HANDS = 8;
const HTTP_ENDS = 2 * (HANDS + 2);

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}

describe('a home in turmoil', () => {
  it('settles every command in time, carries none out twice, late or elsewhere, and ends up with the truth', async () => {
    const haste = 5;
    const fixture = await ChaosFixture.open({ devices: 5, haste, seed: Date.now() });
    try {
      const socketsBefore = openSockets();
      // However slow the machine is, some commands must get through the turmoil.
      const confirmed = (): number => fixture.commands.filter((command) => command.confirmed).length;
      const isOver = (): boolean => fixture.restarts >= 60 && confirmed() >= 100;
      await Promise.all([
        fixture.command(HANDS, isOver),
        ...fixture.devices.map((device) => fixture.torment(device, isOver)),
      ]);
      await fixture.peace();
      await fixture.untilTrue();
      expect(fixture.faults()).toEqual([]);
      expect(openSockets(), 'none is left over of a restart').toBeLessThanOrEqual(socketsBefore + HTTP_ENDS);
      // Ten seconds are a command's deadline; the rest is for a machine that has other things to do.
      expect(Math.max(...fixture.commands.map(({ took }) => took))).toBeLessThan(PATIENCE_MS);
    } finally {
      await fixture.close();
    }
  });
});

describe('of two commands for one thing', () => {
  const directory = createTempDirectory('newest');
  let relay: E2eRelay;
  let accessory: RawAccessory;

  beforeAll(async () => {
    accessory = await startRawAccessory({
      database: [lampAccessory('Lamp')],
      name: 'Lamp',
      paired: [KNOWN_CONTROLLER],
      mdns: false,
    });
    sharePairings(directory, [accessory]);
    relay = await E2eRelay.start({ directory });
    await relay.untilStatus(accessory.deviceId, 'connected');
  });

  afterAll(async () => {
    await relay[Symbol.asyncDispose]();
    await accessory.stop();
    directory.remove();
  });

  /** Sends the first, and the second once something has befallen the first. */
  async function give(first: number, second: number, hasHappened: () => boolean): Promise<readonly [object, object]> {
    const older = relay.set('Lamp', { brightness: first });
    await eventually(hasHappened, 'the first command to go wrong');
    const newer = relay.set('Lamp', { brightness: second });
    return [(await older).body, (await newer).body];
  }

  const carriedOut = (): readonly unknown[] =>
    accessory.writes.filter(({ iid }) => iid === BRIGHTNESS).map(({ value }) => value);

  it('the older is not tried again after the device was busy, as that would undo the newer', async () => {
    const before = accessory.requests.filter(isCommand).length;
    accessory.fail({ aid: 1, iid: 10, status: BUSY, on: 'write', times: 1 });
    const [older, newer] = await give(21, 22, () => accessory.requests.filter(isCommand).length > before);
    expect(older).toMatchObject({ updated: 0, failed: 1 });
    expect(newer).toMatchObject({ updated: 1, failed: 0 });
    expect(carriedOut()).toEqual([22]);
    await relay.untilState('Lamp', 'brightness', 22);
  });

  it('the older is not repeated when its answer was lost and the newer has changed the value since', async () => {
    accessory.play({ on: isCommand, cutAt: 0 });
    const [, newer] = await give(31, 32, () => carriedOut().includes(31));
    expect(newer).toMatchObject({ updated: 1, failed: 0 });
    await relay.untilState('Lamp', 'brightness', 32);
    expect(carriedOut()).toEqual([22, 31, 32]);
  });
});
