import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HearthError } from '../../../src/kernel/errors.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { lamp } from '../../support/sample-accessories.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

const DEVICE = {
  deviceId: 'AA:BB:CC:DD:EE:01',
  name: 'Desk Lamp',
  setupCode: '031-45-154',
  accessories: [lamp('Desk Lamp')],
};
const REQUEST = { device: DEVICE.deviceId, setupCode: DEVICE.setupCode };
const NDJSON = { Accept: 'application/x-ndjson' };

beforeEach(() => {
  home = createTestHome();
  home.driver.addDevice(DEVICE);
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

function linesOf(text: string): unknown[] {
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('discovered devices', () => {
  it('are listed, and the network is scanned again', async () => {
    const { body } = await rest.get('/rest/discovered');
    expect(body).toEqual([
      expect.objectContaining({
        deviceId: DEVICE.deviceId,
        name: 'Desk Lamp',
        category: 5,
        pairable: true,
        lastSeenAt: '2026-01-15T12:00:00.000Z',
      }),
    ]);
    expect((await rest.post('/rest/discovered/refresh')).body).toEqual({ success: true });
    expect(home.driver.refreshes).toBe(1);
  });

  it('can be entered and removed by hand', async () => {
    const hostPort = '127.0.0.1:5001';
    expect((await rest.post('/rest/discovered/manual', { hostPort })).body).toEqual({ success: true, hostPort });
    expect(home.driver.manualEntries).toEqual([hostPort]);
    expect((await rest.delete('/rest/discovered/manual', { hostPort })).status).toBe(200);
    expect(home.driver.manualEntries).toEqual([]);
    expect((await rest.post('/rest/discovered/manual', { hostPort: 'nowhere' })).status).toBe(422);
    expect((await rest.post('/rest/discovered/manual')).status).toBe(400);
  });

  it('identify themselves before they are paired', async () => {
    const path = `/rest/discovered/${encodeURIComponent(DEVICE.deviceId)}/identify`;
    expect((await rest.post(path)).body).toEqual({ success: true });
    expect(home.driver.identified).toEqual([{ source: DEVICE.deviceId, aid: '1' }]);
    await rest.post('/rest/pairings', REQUEST);
    expect((await rest.post(path)).body.code).toBe('conflict');
    expect((await rest.post('/rest/discovered/no-such-device/identify')).status).toBe(404);
  });
});

describe('pairing', () => {
  it('answers with the paired device when it is done', async () => {
    const { status, body } = await rest.post('/rest/pairings', { ...REQUEST, homeId: home.home.id });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      deviceId: DEVICE.deviceId,
      homeId: home.home.id,
      status: 'connected',
      pairedAt: '2026-01-15T12:00:00.000Z',
      since: '2026-01-15T12:00:00.000Z',
    });
    expect((await rest.get('/rest/pairings')).body).toEqual([body]);
    expect((await rest.get(`/rest/pairings?home=${home.home.id}`)).body).toEqual([body]);
    expect((await rest.get('/rest/accessories')).body).toHaveLength(1);
  });

  it('reports each step to a client that accepts NDJSON, then the pairing', async () => {
    const { headers, text } = await rest.post('/rest/pairings', REQUEST, NDJSON);
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const steps = ['connecting', 'exchanging', 'proving', 'saving', 'verifying', 'reading', 'done'];
    expect(linesOf(text)).toEqual([
      ...steps.map((step) => ({ step })),
      { pairing: expect.objectContaining({ deviceId: DEVICE.deviceId, status: 'connected' }) },
    ]);
  });

  it('sends a step as soon as it is reached', async () => {
    let finish: () => void = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const pair = home.driver.pair.bind(home.driver);
    home.driver.pair = async (request, onProgress) => {
      onProgress('connecting');
      await finished;
      return pair(request, onProgress);
    };
    const response = await createTestApi(home).request('/rest/pairings', {
      method: 'POST',
      body: JSON.stringify(REQUEST),
      headers: { ...NDJSON, 'Content-Type': 'application/json', Authorization: `Bearer ${createToken(home)}` },
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(Buffer.from(value as Uint8Array).toString()).toBe('{"step":"connecting"}\n');
    finish();
    while (!(await reader.read()).done);
  });

  it('goes on when the client that asked for it goes away', async () => {
    let finish: () => void = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const pair = home.driver.pair.bind(home.driver);
    home.driver.pair = async (request, onProgress) => {
      onProgress('connecting');
      await finished;
      return pair(request, onProgress);
    };
    const response = await createTestApi(home).request('/rest/pairings', {
      method: 'POST',
      body: JSON.stringify(REQUEST),
      headers: { ...NDJSON, 'Content-Type': 'application/json', Authorization: `Bearer ${createToken(home)}` },
    });
    await response.body?.cancel();
    finish();
    await expect.poll(() => home.driver.listPaired().length).toBe(1);
  });

  it('ends the lines with the error where it fails on the way', async () => {
    const { status, text } = await rest.post('/rest/pairings', { ...REQUEST, setupCode: '111-22-333' }, NDJSON);
    expect(status).toBe(200);
    expect(linesOf(text).at(-1)).toEqual({
      error: 'The setup code is wrong. Check it and try again.',
      code: 'pairing_failed',
      reason: 'wrong_code',
    });
  });

  it('reports nothing of an unexpected failure on the way', async () => {
    home.driver.pair = async (_, onProgress) => {
      onProgress('connecting');
      throw new Error('secret detail');
    };
    const { text } = await rest.post('/rest/pairings', REQUEST, NDJSON);
    expect(linesOf(text).at(-1)).toMatchObject({ code: 'internal' });
    expect(text).not.toContain('secret');
  });

  it.each([NDJSON, {}])('refuses before the first step with an ordinary error (%j)', async (headers) => {
    const post = async (body: unknown) => rest.post('/rest/pairings', body, headers);
    expect((await post({ ...REQUEST, device: 'AA:AA:AA:AA:AA:AA' })).status).toBe(404);
    expect((await post({ ...REQUEST, homeId: '00000000-0000-4000-8000-000000000000' })).body.error).toBe(
      'Home not found',
    );
    expect((await post({ device: DEVICE.deviceId })).status).toBe(400);
    expect((await post({ ...REQUEST, pin: 1 })).status).toBe(400);
    home.driver.pair = async () => {
      throw new HearthError('rate_limited', 'Too many wrong codes.', { retryAfterSeconds: 1800 });
    };
    const limited = await post(REQUEST);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1800']);
  });

  it('asks which home where there are several', async () => {
    await rest.post('/rest/homes', { name: 'Cottage' });
    const { status, body } = await rest.post('/rest/pairings', REQUEST);
    expect([status, body.error]).toEqual([400, expect.stringContaining('homeId')]);
  });
});

describe('paired devices', () => {
  const path = `/rest/pairings/${encodeURIComponent(DEVICE.deviceId.toLowerCase())}`;

  beforeEach(async () => {
    await rest.post('/rest/pairings', REQUEST);
  });

  it('are unpaired, by force if they do not answer', async () => {
    home.driver.setReachable(DEVICE.deviceId, false);
    expect((await rest.delete(path)).body.code).toBe('accessory_unreachable');
    expect((await rest.delete(`${path}?force=maybe`)).status).toBe(400);
    expect((await rest.delete(`${path}?force=true`)).body).toEqual({ success: true, deviceId: DEVICE.deviceId });
    expect((await rest.delete(path)).status).toBe(404);
    expect((await rest.get('/rest/accessories')).body).toEqual([]);
  });

  it('list, take and drop further controllers', async () => {
    const guest = { id: 'guest-controller', publicKey: 'ab'.repeat(32), admin: false };
    // A controller outlives what adds it: tokens may not.
    expect((await rest.post(`${path}/controllers`, guest)).status).toBe(403);
    const socket = createRestClient(createTestApi(home), undefined, { viaSocket: true });
    expect((await socket.post(`${path}/controllers`, guest)).body).toEqual({ success: true, controllerId: guest.id });
    const listed = (await rest.get(`${path}/controllers`)).body;
    expect(listed).toEqual([expect.objectContaining({ self: true }), { ...guest, self: false }]);
    expect((await rest.delete(`${path}/controllers/${guest.id}`)).body).toEqual({
      success: true,
      controllerId: guest.id,
    });
    expect((await rest.get(`${path}/controllers`)).body).toHaveLength(1);
    expect((await socket.post(`${path}/controllers`, { ...guest, publicKey: 'x' })).status).toBe(422);
    expect((await rest.get('/rest/pairings/AA:AA:AA:AA:AA:AA/controllers')).status).toBe(404);
  });
});
