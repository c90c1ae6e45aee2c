/** Homes in which most of what should be there is not: after a power cut, and for hours on end. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../../src/kernel/logger.ts';
import { type Fleet, startFleet } from '../support/accessories/fleet.ts';
import { createDeviceId, createSigningKeys } from '../support/accessories/identity.ts';
import { startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { freePort, lastingPorts } from '../support/free-port.ts';
import { ScriptedDiscovery } from '../support/scripted-discovery.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { TestClock } from '../support/test-clock.ts';

describe('a home of a hundred devices that all lose their power at once', () => {
  const COUNT = 100;

  it('is back whole, over one connection each, and answers people all the while', async () => {
    using directory = createTempDirectory('power-cut');
    const fleet = await startFleet({ count: COUNT, controllers: [KNOWN_CONTROLLER] });
    sharePairings(
      directory,
      fleet.members.map((member) => ({ ...member, publicKey: member.accessoryPublicKey })),
    );
    const relay = await E2eRelay.start({ directory, overrides: { discovery: new ScriptedDiscovery() } });
    try {
      await allConnected(relay, COUNT);
      const people = askAllTheWhile(relay);
      await fleet.lose();
      await eventually(async () => (await connectedCount(relay)) === 0, 'all to be gone');
      await fleet.restore();
      // Required within a minute.
      await allConnected(relay, COUNT);
      const slowest = await people.stop();
      expect(slowest, 'the slowest answer in milliseconds').toBeLessThan(3_000);
      await eventually(async () => (await fleet.counts()).subscribed === COUNT, 'all to be subscribed to');
      expect((await fleet.counts()).connections).toBe(COUNT);
      await changeAndSee(fleet, relay);
    } finally {
      await relay[Symbol.asyncDispose]();
      await fleet.stop();
    }
  });
});

/** The last one reports a change, which is seen. */
async function changeAndSee(fleet: Fleet, relay: E2eRelay): Promise<void> {
  const last = fleet.members.at(-1);
  await fleet.set(last?.deviceId ?? '', 1, 10, 63);
  await relay.untilState(last?.name ?? '', 'brightness', 63);
}

async function connectedCount(relay: E2eRelay): Promise<number> {
  const { body } = await relay.asSystem('GET', '/rest/pairings');
  return body.filter(({ status }: { status: string }) => status === 'connected').length;
}

function allConnected(relay: E2eRelay, count: number): Promise<unknown> {
  return eventually(async () => (await connectedCount(relay)) === count, `all ${count} to be connected`, 60_000);
}

/** A user who looks at the home again and again. */
function askAllTheWhile(relay: E2eRelay): { stop(): Promise<number> } {
  let isOver = false;
  let slowest = 0;
  const asked = (async () => {
    while (!isOver) {
      const begun = performance.now();
      expect((await relay.get('/rest/homes')).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - begun);
      await delay(20);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await asked;
      return slowest;
    },
  };
}

describe('a home most of which is off for hours', () => {
  const HOURS = 3;
  const STEP_MS = 5_000;
  const OFF = 40;

  it('costs a line per device and ten minutes, and one attempt a minute or two; what is on works as ever', async () => {
    using directory = createTempDirectory('offline');
    const clock = new TestClock();
    const lines = new LineCount();
    const hangsUp = await startHangingUp();
    const lamp = await startRawAccessory({
      database: [lampAccessory('Lamp')],
      name: 'Lamp',
      paired: [KNOWN_CONTROLLER],
      mdns: false,
    });
    const anonymous = await freePort();
    // Half of them are nowhere, half take connections and drop them: both are unreachable for clients.
    const off = Array.from({ length: OFF }, (_, index) => ({
      deviceId: createDeviceId(),
      name: `Off ${index}`,
      publicKey: createSigningKeys().publicKey,
      port: index % 2 === 0 ? anonymous : hangsUp.port,
    }));
    sharePairings(directory, [lamp, ...off]);
    const discovery = new ScriptedDiscovery(clock);
    const relay = await E2eRelay.start({ directory, overrides: { clock, discovery, logger: lines.logger } });
    try {
      await relay.untilStatus(lamp.deviceId, 'connected');
      for (let passed = 0; passed < HOURS * 3_600_000; passed += STEP_MS) {
        await clock.advance(STEP_MS);
        // Sockets live in real time.
        await delay(1);
        if (passed % 600_000 === 0) {
          const brightness = 1 + ((passed / 600_000) % 100);
          expect((await relay.set('Lamp', { brightness })).body).toMatchObject({ updated: 1, failed: 0 });
        }
      }
      const perDevice = off.map(({ deviceId }) => lines.of(deviceId));
      expect(Math.max(...perDevice)).toBeLessThanOrEqual(HOURS * 6 + 1);
      expect(Math.min(...perDevice), 'but never silent about it').toBeGreaterThanOrEqual(HOURS * 3);
      expect(lines.total).toBeLessThanOrEqual((OFF + 1) * (HOURS * 6 + 1) + 20);
      const attemptsPerHour = hangsUp.attempts() / (OFF / 2) / HOURS;
      expect(attemptsPerHour).toBeLessThan(180);
      expect(attemptsPerHour, 'but never given up').toBeGreaterThan(60);
      expect(lamp.connections()).toBe(1);
    } finally {
      await relay[Symbol.asyncDispose]();
      await lamp.stop();
      await hangsUp.stop();
    }
  });
});

describe('a home that was off for a while', () => {
  const QUARTER_MS = 900_000;

  it('is looked for as soon as one device is back, even if the others are not announced', async () => {
    using directory = createTempDirectory('neighbours');
    const clock = new TestClock();
    const ports = await lastingPorts(8);
    const lamps = await Promise.all(
      ports.map((port, index) =>
        startRawAccessory({
          port,
          database: [lampAccessory(`Lamp ${index}`)],
          name: `Lamp ${index}`,
          paired: [KNOWN_CONTROLLER],
          mdns: false,
        }),
      ),
    );
    const [first] = lamps;
    sharePairings(directory, lamps);
    const discovery = new ScriptedDiscovery(clock);
    const relay = await E2eRelay.start({ directory, overrides: { clock, discovery } });
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 1_000) {
        await clock.advance(1_000);
        await delay(2);
      }
    };
    try {
      await allConnected(relay, lamps.length);
      await Promise.all(lamps.map((lamp) => lamp.goOffline()));
      await pass(QUARTER_MS);
      expect(await connectedCount(relay)).toBe(0);
      await Promise.all(lamps.map((lamp) => lamp.restart()));
      discovery.announce({ deviceId: first?.deviceId ?? '', port: first?.port ?? 0 });
      await pass(2_000);
      await eventually(async () => (await connectedCount(relay)) > 0, 'the first one');
      // Sockets need real time, the others' patience none of it.
      await pass(6_000);
      await allConnected(relay, lamps.length);
    } finally {
      await relay[Symbol.asyncDispose]();
      await Promise.all(lamps.map((lamp) => lamp.stop()));
    }
  });
});

/** Takes connections and drops them. */
async function startHangingUp(): Promise<{ port: number; attempts(): number; stop(): Promise<void> }> {
  let attempts = 0;
  const server = createServer((socket) => {
    attempts += 1;
    socket.on('error', () => {});
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    attempts: () => attempts,
    async stop() {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Counts lines, those about a device by its id. */
class LineCount {
  total = 0;
  readonly logger: Logger;
  readonly #byDevice = new Map<string, number>();

  constructor() {
    const count = (fields: object): void => {
      this.total += 1;
      const device = 'device' in fields ? String(fields.device) : '';
      this.#byDevice.set(device, this.of(device) + 1);
    };
    this.logger = { debug() {}, info: count, warn: count, error: count, child: () => this.logger };
  }

  of(device: string): number {
    return this.#byDevice.get(device) ?? 0;
  }
}
