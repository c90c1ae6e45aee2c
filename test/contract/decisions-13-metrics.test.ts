/** Decisions §13: `/metrics` (Prometheus), of a whole relay with a real accessory, over its real API. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../cli/running-daemon.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { type Family, parseExposition } from '../support/exposition.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const directory = createTempDirectory('metrics');
let relay: E2eRelay;
let accessory: RawAccessory;

beforeAll(async () => {
  accessory = await startRawAccessory({ database: [lampAccessory('Lamp')], name: 'Lamp', paired: [KNOWN_CONTROLLER] });
  sharePairings(directory, [accessory]);
  relay = await E2eRelay.start({ directory });
  await relay.untilStatus(accessory.deviceId, 'connected');
});

afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  await accessory.stop();
  directory.remove();
});

const ask = (token?: string): Promise<Response> =>
  fetch(`${relay.url}/metrics`, { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } });

async function scrape(): Promise<ReadonlyMap<string, Family>> {
  return parseExposition(await (await ask(relay.token)).text());
}

async function metric(sample: string): Promise<number> {
  const [name = ''] = sample.split('{');
  const family = (await scrape()).get(name.replace(/_(count|sum|bucket)$/, ''));
  return family?.samples.get(sample) ?? Number.NaN;
}

describe('/metrics', () => {
  it('is for admins, by token or through the socket', async () => {
    const { body: homes } = await relay.get('/rest/homes');
    const limited = await relay.asSystem('POST', '/rest/tokens', {
      name: 'limited',
      homePermissions: { [homes[0].id]: 'control' },
    });
    const statuses = await Promise.all([ask(), ask('hc_nothing'), ask(limited.body.token), ask(relay.token)]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 403, 200]);
    expect((await run(directory.path, ['metrics'])).code).toBe(0);
  });

  it('counts a write to a real accessory, and how long it took', async () => {
    const [writes, answers] = [
      'hearthd_device_writes_total{result="ok"}',
      'hearthd_device_write_duration_seconds_count',
    ];
    const before = [await metric(writes), await metric(answers)];
    await relay.set('Lamp', { brightness: 41 });
    expect([await metric(writes), await metric(answers)]).toEqual(before.map((count) => count + 1));
    expect(await metric('hearthd_device_write_duration_seconds_sum')).toBeGreaterThan(0);
    expect(await metric('hearthd_events_total{type="state.changed"}')).toBeGreaterThan(0);
  });

  it('counts the connection that came back, and reports how many are there', async () => {
    const reconnects = await metric('hearthd_accessory_server_reconnects_total');
    // Bytes that are no frame: the session ends the connection.
    accessory.sendBytes(Buffer.from('ffffdeadbeefdeadbeefdeadbeef', 'hex'));
    await eventually(
      async () => (await metric('hearthd_accessory_server_reconnects_total')) === reconnects + 1,
      'the connection to come back',
    );
    await relay.untilStatus(accessory.deviceId, 'connected');
    expect(await metric('hearthd_accessory_servers{status="connected"}')).toBe(1);
  });

  it('reports the size of the databases, their logs apart', async () => {
    for (const name of ['relay', 'history']) {
      const size = await metric(`hearthd_database_bytes{database="${name}",part="file"}`);
      expect(size).toBe(statSync(directory.file(`${name}.db`)).size);
      expect(await metric(`hearthd_database_bytes{database="${name}",part="log"}`)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('hearthd metrics', () => {
  it('prints what /metrics returns', async () => {
    const { out } = await run(directory.path, ['metrics']);
    expect([...parseExposition(out).keys()]).toEqual(expect.arrayContaining([...(await scrape()).keys()]));
    const json = JSON.parse((await run(directory.path, ['metrics', '--json'])).out);
    expect(parseExposition(json.metrics).has('hearthd_build_info')).toBe(true);
  });

  it('writes a whole file for node_exporter, without what that has of itself', async () => {
    const folder = createTempDirectory('textfile');
    const path = folder.file('hearthd.prom');
    for (let time = 0; time < 2; time += 1) {
      const { code, err } = await run(directory.path, ['metrics', '--textfile', path]);
      expect([code, err]).toEqual([0, expect.stringMatching(/^Wrote \d\d metrics to .*hearthd\.prom\.\n$/)]);
    }
    const names = [...parseExposition(readFileSync(path, 'utf8')).keys()];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !name.startsWith('hearthd_'))).toEqual([]);
    expect([readdirSync(folder.path), statSync(path).mode & 0o777]).toEqual([['hearthd.prom'], 0o644]);
    folder.remove();
  });

  it('reports that the file can’t be written', async () => {
    const { code, err } = await run(directory.path, ['metrics', '--textfile', directory.file('nowhere/x.prom')]);
    expect([code, err]).toEqual([1, expect.stringContaining('x.prom')]);
  });
});
