/**
 * What a browser may do with its cookies, and what other sites can't make it do (security checklist, rows 33, 35 and
 * 44).
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';
import { createShareHome, type ShareHome, TestBrowser } from './share-home.ts';

let inventory: ShareHome;
let browser: TestBrowser;

beforeEach(() => {
  inventory = createShareHome();
  browser = new TestBrowser(inventory.app);
});

afterEach(() => inventory.home.close());

const PASSCODE = 'fir tree';

function sharePasscode(accessory = 'Lamp'): Promise<string> {
  return inventory.share(accessory, { accessType: 'passcode', passcode: PASSCODE });
}

async function enter(link: string, passcode = PASSCODE): Promise<Response> {
  return browser.post(`${link}/passcode`, { csrf: await browser.csrf(link), passcode });
}

async function rowOf(accessory: string): Promise<string> {
  const [row] = inventory.home.shares.list(systemCaller, 'accessory', inventory.home.named(accessory).id);
  if (!row) throw new Error(`${accessory} is not shared`);
  return row.id;
}

describe('a passcode on the page', () => {
  it('is asked for with a form, and refused with 403 beside the field', async () => {
    const link = await sharePasscode();
    const asked = await browser.get(link);
    expect(asked.status).toBe(403);
    expect(await asked.text()).toContain('Passcode required');
    const wrong = await enter(link, 'pine');
    expect([wrong.status, await wrong.text()]).toEqual([403, expect.stringContaining('Wrong passcode.')]);
  });

  it('leads back to the share, with a cookie for this share alone that holds no passcode', async () => {
    const link = await sharePasscode();
    const answer = await enter(link);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, link]);
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('hearthd_share_'));
    expect(cookie).toMatch(/^hearthd_share_[\w-]+=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await browser.get(link)).status).toBe(200);
  });

  it('is over when the passcode changes, and when its row goes', async () => {
    for (const end of ['change', 'delete'] as const) {
      const link = await sharePasscode();
      await enter(link);
      const row = await rowOf('Lamp');
      if (end === 'change') await inventory.home.shares.update(systemCaller, row, { passcode: 'oak tree' });
      else inventory.home.shares.delete(systemCaller, row);
      expect((await browser.get(link)).status).toBe(end === 'change' ? 403 : 404);
      if (end === 'change') inventory.home.shares.delete(systemCaller, row);
    }
  });

  it('opens no other share, for every cookie its number is put into', async () => {
    const lamp = await sharePasscode('Lamp');
    const door = await sharePasscode('Front Door');
    await enter(lamp);
    const name = (link: string) => `hearthd_share_${link.slice('/s/'.length)}`;
    browser.setCookie(name(door), browser.cookie(name(lamp)) ?? '');
    expect((await browser.get(door)).status).toBe(403);
    browser.setCookie(name(lamp), 'A'.repeat(43));
    expect((await browser.get(lamp)).status).toBe(403);
  });

  it('in the address is taken out of it', async () => {
    const link = await sharePasscode();
    const answer = await browser.get(`${link}?passcode=fir%20tree`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, link]);
    expect((await browser.get(link)).status).toBe(200);
  });

  it('gives more to a visitor who has it, and a wrong one takes nothing away', async () => {
    const link = await inventory.share('Lamp', { role: 'view' });
    await inventory.share('Lamp', { accessType: 'passcode', passcode: PASSCODE });
    expect(await (await browser.get(link)).text()).toContain('Do you have a passcode?');
    const wrong = await enter(link, 'pine');
    const text = await wrong.text();
    expect(text).toContain('Wrong passcode.');
    expect(text).not.toContain('role="switch"');
    await enter(link);
    expect(await (await browser.get(link)).text()).toContain('role="switch"');
  });

  it('is counted: after five wrong ones a right one waits too', async () => {
    const link = await sharePasscode();
    for (let tries = 0; tries < 5; tries += 1) await enter(link, `wrong ${tries}`);
    const answer = await enter(link);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await inventory.client.get(`${link}?passcode=fir%20tree`)).status).toBe(429);
  });
});

describe('forms', () => {
  it('act and come back to the card', async () => {
    const link = await sharePasscode();
    await enter(link);
    const { id } = inventory.home.named('Lamp');
    const fields = { csrf: await browser.csrf(link), accessory: id, property: 'on', value: 'true' };
    const answer = await browser.post(`${link}/set`, fields);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${link}#a-${id}`]);
    expect(inventory.lampIsOn()).toBe(true);
  });

  it('without our token have the rights of the link alone', async () => {
    const link = await sharePasscode();
    await enter(link);
    const fields = { accessory: inventory.home.named('Lamp').id, property: 'on', value: 'true' };
    for (const csrf of [undefined, '', 'A'.repeat(43)]) {
      const answer = await browser.post(`${link}/set`, { ...fields, ...(csrf !== undefined && { csrf }) });
      expect(answer.status).toBe(403);
    }
    expect((await browser.post(`${link}/on`, {})).status).toBe(403);
    expect(inventory.home.driver.writes).toEqual([]);
  });

  it('of other sites are refused, even where the link alone would do', async () => {
    const link = await inventory.share('Lamp');
    for (const Origin of ['https://evil.example', 'null']) {
      expect((await browser.post(`${link}/on`, {}, { Origin })).status).toBe(403);
    }
    expect(inventory.lampIsOn()).toBe(false);
  });

  it('reach nothing that is not in the share (row 35)', async () => {
    const link = await inventory.share('Lamp');
    const others = inventory.home.state.accessories().filter(({ name }) => name !== 'Lamp');
    for (const { id } of [...others, { id: '00000000-0000-4000-8000-000000000000' }, { id: 'x' }]) {
      const fields = { csrf: await browser.csrf(link), accessory: id, property: 'on', value: 'true' };
      const answer = await browser.post(`${link}/set`, fields, { Accept: 'application/json' });
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { error: 'Accessory not found', code: 'accessory_not_found' },
      ]);
    }
    expect(inventory.home.driver.writes).toEqual([]);
  });

  it('show on the page what went wrong', async () => {
    const link = await inventory.share('Lamp');
    const fields = {
      csrf: await browser.csrf(link),
      accessory: inventory.home.named('Lamp').id,
      property: 'brightness',
    };
    const invalid = await browser.post(`${link}/set`, { ...fields, value: '400' });
    expect([invalid.status, await invalid.text()]).toEqual([422, expect.stringContaining('from 0 to 100')]);
    inventory.home.driver.scriptWrites(() => 'unreachable');
    const failed = await browser.post(`${link}/set`, { ...fields, value: '40' });
    expect([failed.status, await failed.text()]).toEqual([503, expect.stringContaining('Accessory unreachable')]);
  });

  it('that are none, too large or of another type are refused', async () => {
    const link = await inventory.share('Lamp');
    expect((await inventory.client.post(`${link}/set`, { accessory: 'x' })).status).toBe(400);
    expect((await browser.post(`${link}/set`, { value: 'x'.repeat(20_000) })).status).toBe(413);
  });
});

describe('a link that acts, from another site', () => {
  it('does not use the cookies of the visitor: the page asks first', async () => {
    const link = await sharePasscode();
    await enter(link);
    const answer = await browser.get(`${link}/on`, { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' });
    expect([answer.status, await answer.text()]).toEqual([405, expect.stringContaining('Do it now?')]);
    expect(inventory.lampIsOn()).toBe(false);
    expect((await browser.post(`${link}/on`, { csrf: await browser.csrf(link) })).status).toBe(303);
    expect(inventory.lampIsOn()).toBe(true);
  });
});

describe('a signed-in user', () => {
  it('opens what is shared with them, on pages; others are sent to sign in', async () => {
    const ann = await createUser(inventory.home, { name: 'Ann' });
    const link = await inventory.share('Lamp', { accessType: 'user', userEmail: ann.user.email });
    const refused = await browser.get(link);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain(`href="/login?return_to=${encodeURIComponent(link)}"`);
    browser.setCookie('hearthd_session', ann.pageToken);
    expect((await browser.get(link)).status).toBe(200);
    const fields = {
      csrf: await browser.csrf(link),
      accessory: inventory.home.named('Lamp').id,
      property: 'on',
      value: 'true',
    };
    expect((await browser.post(`${link}/set`, fields)).status).toBe(303);
    expect(inventory.lampIsOn()).toBe(true);
  });

  it('loses access as soon as the session ends', async () => {
    const ann = await createUser(inventory.home, { name: 'Ann' });
    const link = await inventory.share('Lamp', { accessType: 'user', userEmail: ann.user.email });
    browser.setCookie('hearthd_session', ann.pageToken);
    inventory.home.sessions.endAll(ann.caller, {});
    expect((await browser.get(link)).status).toBe(403);
  });
});
