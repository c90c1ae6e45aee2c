/** A diagnostics file from the relay to the tests: what it holds of a real session, and that it can be replayed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeviceDiagnostics } from '../../src/contract/device-diagnostics.ts';
import { type ReplayAccessory, startReplayAccessory } from '../support/accessories/replay-accessory.ts';
import { readRecorded } from '../support/accessories/sample-databases.ts';
import type { AccessoryJson } from '../support/accessories/served-database.ts';
import { E2eRelay, eventually } from '../support/e2e-relay.ts';
import { findings, spellings } from '../support/secret-search.ts';

const UNREACHABLE = -70402;

describe('the diagnostics of a device', () => {
  let relay: E2eRelay;
  const devices: ReplayAccessory[] = [];

  const diagnosticsOf = async ({ deviceId }: ReplayAccessory): Promise<DeviceDiagnostics> => {
    const { status, body } = await relay.get(`/rest/pairings/${deviceId.toLowerCase()}/diagnostics`);
    expect(status).toBe(200);
    return body;
  };

  async function pair(database: readonly AccessoryJson[], name: string): Promise<ReplayAccessory> {
    const device = await startReplayAccessory({ database, name, category: 2 });
    devices.push(device);
    expect((await relay.pair(device)).status).toBe(200);
    await relay.untilStatus(device.deviceId, 'connected');
    return device;
  }

  beforeAll(async () => {
    relay = await E2eRelay.start();
  });

  afterAll(async () => {
    await relay[Symbol.asyncDispose]();
    for (const device of devices) await device.stop();
  });

  it('hold its connections, response times, statuses and failures', async () => {
    const device = await pair(readRecorded('koogeek_ls1'), 'Strip');
    device.fail({ aid: 1, iid: 8, status: UNREACHABLE });
    device.disconnectAll();
    const file = await eventually(async () => {
      const now = await diagnosticsOf(device);
      const connections = now.events.filter(({ kind }) => kind === 'connected').length;
      return connections > 1 && now.failures.length > 0 ? now : undefined;
    }, 'a second connection and the failure that it reads');
    expect(file).toMatchObject({ format: 'hearthd.device-diagnostics', version: 1, device: { model: 'Replay' } });
    expect(file.events[0]).toMatchObject({ kind: 'connected', reason: null, connectedMs: null });
    expect(file.events.find(({ kind }) => kind === 'ended')).toMatchObject({ reason: 'hang_up' });
    expect(file.responses.count).toBeGreaterThan(0);
    expect(file.responses.recent.length).toBeGreaterThan(0);
    expect(file.failures).toContainEqual({
      ...{ at: expect.any(String), operation: expect.any(String), aid: 1, iid: 8, status: UNREACHABLE },
    });
    expect(file.statuses).toContainEqual({ operation: 'read', status: 0, count: expect.any(Number) });
    const { deviceId, setupCode, port } = device;
    const secrets = [deviceId, setupCode, `127.0.0.1:${port}`, 'Strip', 'AAAA011111111111', 'Koogeek-LS1-20833F'];
    const text = JSON.stringify(file);
    expect(
      findings(
        'the file',
        text,
        secrets.flatMap((one) => spellings(one, one)),
      ),
    ).toEqual([]);
  });

  it('can be replayed: the device that they describe is paired and has the same services', async () => {
    const hue = await pair(readRecorded('hue_bridge'), 'Hue');
    const file = await diagnosticsOf(hue);
    const copy = await pair(file.accessories as unknown as AccessoryJson[], 'Copy of Hue');
    const kinds = async ({ deviceId }: ReplayAccessory) => {
      const { body } = await relay.get('/rest/accessories');
      const own = body.filter((each: { deviceId: string }) => each.deviceId === deviceId);
      return own
        .map(({ services }: { services: { type: string }[] }) => services.map(({ type }) => type).join())
        .sort();
    };
    expect(await kinds(copy)).toEqual(await kinds(hue));
    expect((await kinds(hue)).length).toBeGreaterThan(3);
    expect((await diagnosticsOf(copy)).accessories).toEqual(file.accessories);
  });
});
