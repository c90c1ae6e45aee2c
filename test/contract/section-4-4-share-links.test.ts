/**
 * API §4.4 and §5.3, sentence by sentence, over HTTP without a token; and decisions §8 as far as it speaks of the link.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createShareHome, type ShareHome, TestBrowser, valueIn } from '../api/share/share-home.ts';
import { createRestClient } from '../support/rest-client.ts';
import { systemCaller } from '../support/test-home.ts';
import { createUser } from '../support/test-users.ts';

let inventory: ShareHome;

beforeEach(() => {
  inventory = createShareHome();
});

afterEach(() => inventory.home.close());

function get(path: string, headers?: Record<string, string>) {
  return inventory.client.get(path, headers);
}

const HOME = (): [string, string] => ['home', inventory.home.home.id];

describe('GET /s/{hash}', () => {
  it('is the current state of all accessories in the share', async () => {
    const { status, body } = await get(await inventory.shareEntity('room', inventory.home.named('Lamp').roomId));
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      entity_type: 'room',
      role: 'control',
      accessories: expect.any(Array),
    });
    expect(body.accessories.map(({ name }: { name: string }) => name)).toEqual(['Lamp', 'Motion', 'Thermostat']);
    expect(body.accessories[0]).toEqual({
      id: inventory.home.named('Lamp').id,
      name: 'Lamp',
      reachable: true,
      room: 'Living Room',
      services: [
        {
          serviceType: 'lightbulb',
          characteristics: [
            { characteristicType: 'power_state', value: false, isWritable: true },
            { characteristicType: 'brightness', value: 50, isWritable: true },
            { characteristicType: 'hue', value: 0, isWritable: true },
            { characteristicType: 'saturation', value: 0, isWritable: true },
          ],
        },
      ],
    });
  });

  it('works for any role', async () => {
    const { status, body } = await get(await inventory.share('Lamp', { role: 'view' }));
    expect([status, body.role]).toEqual([200, 'view']);
  });

  it('takes a passcode, which is required for passcode shares', async () => {
    const link = await inventory.share('Lamp', { accessType: 'passcode', passcode: 'fir tree' });
    const without = await get(link);
    expect([without.status, without.body]).toEqual([
      403,
      { error: 'insufficient_permissions', message: 'This share needs a passcode.', code: 'passcode_required' },
    ]);
    const wrong = await get(`${link}?passcode=pine`);
    expect([wrong.status, wrong.body.message]).toEqual([403, 'Wrong passcode.']);
    expect((await get(`${link}?passcode=fir%20tree`)).status).toBe(200);
  });

  it('takes a filter by id prefix, and shows nothing else by it', async () => {
    const link = await inventory.shareEntity('room', inventory.home.named('Lamp').roomId);
    const names = async (prefix: string): Promise<readonly string[]> =>
      (await get(`${link}?accessory=${prefix}`)).body.accessories.map(({ name }: { name: string }) => name);
    expect(await names(inventory.home.named('Lamp').id.slice(0, 8))).toEqual(['Lamp']);
    expect(await names(inventory.home.named('Lamp').id.toUpperCase())).toEqual(['Lamp']);
    // Of another room.
    expect(await names(inventory.home.named('Kettle').id)).toEqual([]);
    expect(await names('')).toHaveLength(3);
  });
});

describe('the verbs', () => {
  it.each([
    { verb: 'on', of: 'Lamp', type: '25', value: true },
    { verb: 'off', of: 'Lamp', type: '25', value: false },
    { verb: 'toggle', of: 'Lamp', type: '25', value: true },
    { verb: 'lock', of: 'Front Door', type: '1E', value: 1 },
    { verb: 'unlock', of: 'Front Door', type: '1E', value: 0 },
    { verb: 'brightness/0', of: 'Lamp', type: '8', value: 0 },
    { verb: 'brightness/100', of: 'Lamp', type: '8', value: 100 },
    { verb: 'hue/0', of: 'Lamp', type: '13', value: 0 },
    { verb: 'hue/360', of: 'Lamp', type: '13', value: 360 },
    { verb: 'saturation/100', of: 'Lamp', type: '2F', value: 100 },
    { verb: 'temp/250', of: 'Ceiling', type: 'CE', value: 250 },
    { verb: 'position/70', of: 'Blind', type: '7C', value: 70 },
    { verb: 'position/100', of: 'Garage', type: '32', value: 0 },
    { verb: 'color/120/80', of: 'Lamp', type: '13', value: 120 },
    { verb: 'color/120/80', of: 'Lamp', type: '2F', value: 80 },
  ])('$verb sets $type of $of to $value, by GET and by POST', async ({ verb, of, type, value }) => {
    // What opens and unlocks acts by GET where its owner allows it (decisions §14).
    const link = await inventory.share(of, { requirePost: false });
    for (const method of ['GET', 'POST']) {
      const { status, body } = await inventory.client.request(method, `${link}/${verb}`);
      expect([status, body.success, body.updated, body.failed, body.errors]).toEqual([200, true, 1, 0, []]);
      expect(body.changes).toEqual([expect.stringContaining(`${of}: `)]);
      expect(valueIn(inventory.home, of, type)).toBe(value);
      // For `toggle`, which would else go back.
      if (verb === 'toggle') await inventory.client.post(`${link}/off`);
    }
  });

  it.each([
    ['brightness', ['-1', '101', 'half', '1e2', '0x10', '', ' 5', '50%25', 'NaN', '١']],
    ['hue', ['361', '-1']],
    ['saturation', ['101']],
    ['temp', ['139', '501', '4000']],
    ['position', ['101', 'open']],
  ])('%s refuses what is no number in its range with 422 naming the range, and sends nothing', async (verb, values) => {
    const link = await inventory.shareEntity(...HOME());
    for (const value of values) {
      const { status, body } = await get(`${link}/${verb}/${encodeURIComponent(value)}`);
      if (value === '') expect(status).toBe(404);
      else expect([value, status, body.error]).toEqual([value, 422, expect.stringMatching(/from \d+ to \d+/)]);
    }
    expect(inventory.home.driver.writes).toEqual([]);
  });

  it('color refuses either value', async () => {
    const link = await inventory.share('Lamp');
    expect((await get(`${link}/color/361/50`)).body.field).toBe('hue');
    expect((await get(`${link}/color/30/101`)).body.field).toBe('saturation');
    expect((await get(`${link}/color/30`)).status).toBe(404);
  });

  it('act on every accessory of the share that has the property, in one answer (decisions §8)', async () => {
    const { body } = await get(`${await inventory.shareEntity(...HOME())}/on`);
    expect(body).toEqual({
      success: true,
      updated: 4,
      failed: 0,
      changes: ['Ceiling: on=true', 'Heater: on=true', 'Kettle: on=true', 'Lamp: on=true'],
      errors: [],
    });
  });

  it('are 422 where no accessory has the property (decisions §8)', async () => {
    const { status, body } = await get(`${await inventory.share('Motion')}/on`);
    expect([status, body.code]).toEqual([422, 'characteristic_not_found']);
  });

  it('report which accessory refused, beside those that did not', async () => {
    const link = await inventory.shareEntity(...HOME());
    inventory.home.driver.scriptWrites(({ address, value }) =>
      address.source === '10:00:00:00:00:01' ? 'unreachable' : { value },
    );
    const { status, body } = await get(`${link}/on`);
    expect([status, body.success, body.updated, body.failed]).toEqual([200, false, 3, 1]);
    expect(body.errors).toEqual(['Lamp.on: Accessory unreachable']);
  });

  it('need a share with the role control', async () => {
    const link = await inventory.share('Lamp', { role: 'view' });
    for (const verb of ['on', 'brightness/40', 'brightness/4000', 'color/1/1']) {
      for (const method of ['GET', 'POST']) {
        const { status, body } = await inventory.client.request(method, `${link}/${verb}`);
        expect([verb, status, body.error]).toEqual([verb, 403, 'insufficient_permissions']);
      }
    }
    expect(inventory.home.driver.writes).toEqual([]);
  });

  it('take the passcode too', async () => {
    const link = await inventory.share('Lamp', { accessType: 'passcode', passcode: 'fir tree' });
    expect((await get(`${link}/on`)).status).toBe(403);
    expect((await get(`${link}/on?passcode=fir%20tree`)).body.success).toBe(true);
  });

  it('are 404 where there is no such verb, and 405 with another method', async () => {
    const link = await inventory.share('Lamp');
    expect((await get(`${link}/explode`)).status).toBe(404);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers } = await inventory.client.request(method, `${link}/on`);
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
    expect((await inventory.client.request('POST', link)).headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('whose share it may be', () => {
  it('is made and managed by home owners and admins; members with role control or view cannot', async () => {
    const { home } = inventory;
    const input = { entityType: 'accessory', entityId: home.named('Lamp').id, accessType: 'public', role: 'view' };
    for (const role of ['view', 'control'] as const) {
      const { caller } = await createUser(home, { name: role, role });
      await expect(home.shares.create(caller, input)).rejects.toMatchObject({ code: 'insufficient_permissions' });
    }
    const { caller } = await createUser(home, { name: 'admin', role: 'admin' });
    await expect(home.shares.create(caller, input)).resolves.toMatchObject({ shareHash: expect.any(String) });
  });

  it('opens a user row to that user alone, by their sign-in', async () => {
    const ann = await createUser(inventory.home, { name: 'Ann' });
    const bob = await createUser(inventory.home, { name: 'Bob' });
    const link = await inventory.share('Lamp', { accessType: 'user', userEmail: ann.user.email });
    expect((await get(link)).body.message).toBe('Sign in to open this share.');
    const asAnn = createRestClient(inventory.app, ann.token);
    expect((await asAnn.get(link)).status).toBe(200);
    expect((await asAnn.get(`${link}/on`)).body.success).toBe(true);
    expect((await createRestClient(inventory.app, bob.token).get(link)).status).toBe(403);
  });

  it('closes outside its access schedule: 403 (decisions §8)', async () => {
    const link = await inventory.share('Lamp', { accessSchedule: { expires_at: '2026-01-15T13:00:00Z' } });
    expect((await get(`${link}/on`)).status).toBe(200);
    await inventory.home.clock.advance(2 * 60 * 60_000);
    for (const path of [link, `${link}/off`]) {
      const { status, body } = await get(path);
      expect([status, body.message]).toEqual([403, 'This share is not open now.']);
    }
    expect(inventory.lampIsOn()).toBe(true);
  });
});

describe('§5.3: no bearer token', () => {
  it('is required', async () => {
    const { headers } = await get(await inventory.share('Lamp'));
    expect(headers.get('www-authenticate')).toBeNull();
  });

  it('but a wrong one is refused', async () => {
    const link = await inventory.share('Lamp');
    expect((await createRestClient(inventory.app, 'hc_wrong').get(link)).status).toBe(401);
  });

  it('widens nothing: with a good one a link opens what it opens without', async () => {
    const link = await inventory.share('Lamp', { role: 'view' });
    const { token } = inventory.home.tokens.create(systemCaller, { name: 'all' });
    expect((await createRestClient(inventory.app, token).get(`${link}/on`)).status).toBe(403);
  });
});

describe('a link that leads nowhere', () => {
  it('is the same 404, for every fault, and for every request', async () => {
    const link = await inventory.share('Lamp');
    const hash = link.slice('/s/'.length);
    const gone = await inventory.share('Kettle');
    for (const { id } of inventory.home.shares.list(systemCaller, 'accessory', inventory.home.named('Kettle').id)) {
      inventory.home.shares.delete(systemCaller, id);
    }
    const flipped = `${hash.slice(0, 30)}${hash[30] === 'A' ? 'B' : 'A'}${hash.slice(31)}`;
    const wrong = ['x', 'A'.repeat(46), hash.slice(0, -1), `${hash}A`, flipped, gone.slice('/s/'.length), '%00', 'ü'];
    const answers = new Set<string>();
    for (const text of wrong) {
      for (const rest of ['', '/on', '/brightness/400', '/qr.svg', '/events']) {
        const { status, text: body } = await get(`/s/${encodeURIComponent(text)}${rest}`);
        answers.add(`${status} ${body}`);
      }
    }
    expect([...answers]).toEqual(['404 {"error":"Share not found","code":"share_not_found"}']);
  });
});

describe('what a link’s answers carry', () => {
  it('is noindex, no-referrer and no-store, on every answer (decisions §8)', async () => {
    const link = await inventory.share('Lamp');
    const answers = [
      await get(link),
      await get(`${link}/on`),
      await get(`${link}/qr.svg`),
      await get('/s/forged'),
      await get(`${link}/brightness/4000`),
      await new TestBrowser(inventory.app).get(link),
      await new TestBrowser(inventory.app).get('/s/forged'),
    ];
    for (const { headers } of answers) {
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('is nothing that reveals which device it is', async () => {
    const { text } = await get(await inventory.shareEntity(...HOME()));
    for (const secret of ['SN-1', 'Hearth Fixtures', '10:00:00:00:00:01', 'serial_number', 'accessory_information'])
      expect(text).not.toContain(secret);
  });
});
