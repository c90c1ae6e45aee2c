/** Requests without a person's intent do not act (decisions §8, security checklist, row 32). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../../support/test-home.ts';
import { createShareHome, type ShareHome, TestBrowser } from './share-home.ts';

let inventory: ShareHome;

beforeEach(() => {
  inventory = createShareHome();
});

afterEach(() => inventory.home.close());

const PREFETCHES: readonly Record<string, string>[] = [
  { 'Sec-Purpose': 'prefetch' },
  { 'Sec-Purpose': 'prefetch;prerender' },
  { Purpose: 'prefetch' },
  { Purpose: 'Preview' },
  { 'X-Purpose': 'preview' },
  { 'X-Moz': 'prefetch' },
  ...[
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Mozilla/5.0 (Macintosh) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'WhatsApp/2.23.20.0',
    'TelegramBot (like TwitterBot)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) BingPreview/1.0b',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Viber/13.3.0.5 (Windows) ViberBot',
    'Synapse (bot; +https://github.com/matrix-org/synapse)',
    'SomethingNew-Crawler/3.1',
    'Mozilla/5.0 (compatible; Mimecast; URL Protect)',
    'BarracudaSentinel/1.0',
  ].map((agent) => ({ 'User-Agent': agent })),
  { 'Sec-Fetch-Dest': 'image', 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Dest': 'script', 'Sec-Fetch-Site': 'same-site' },
];

const REQUESTS: readonly Record<string, string>[] = [
  {},
  { 'User-Agent': 'curl/8.5.0' },
  {
    'User-Agent':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1',
  },
  { 'User-Agent': 'ESP32HTTPClient' },
  { 'User-Agent': 'Roborock/4.2 RobotFramework' },
  { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'none' },
  { 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Site': 'same-origin' },
  { Purpose: 'fun' },
];

describe('GET of a verb', () => {
  it.each(PREFETCHES)('does not act: %j', async (headers) => {
    const link = await inventory.share('Front Door', { requirePost: false });
    const { status, body } = await inventory.client.get(`${link}/unlock`, headers);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(inventory.home.driver.writes).toEqual([]);
  });

  it.each(REQUESTS)('acts: %j', async (headers) => {
    const link = await inventory.share('Lamp');
    expect((await inventory.client.get(`${link}/on`, headers)).body.success).toBe(true);
  });

  it('is the same as others if the link leads nowhere', async () => {
    expect((await inventory.client.get('/s/forged/unlock', { 'Sec-Purpose': 'prefetch' })).status).toBe(404);
  });

  it('does not act from a page that a browser loads in advance either', async () => {
    const link = await inventory.share('Lamp');
    expect((await new TestBrowser(inventory.app).get(`${link}/on`, { 'Sec-Purpose': 'prefetch' })).status).toBe(400);
    expect(inventory.lampIsOn()).toBe(false);
  });
});

describe('HEAD of a verb', () => {
  it('answers as GET of the state would, and does not act', async () => {
    const link = await inventory.share('Lamp', { requirePost: true });
    const head = await inventory.client.request('HEAD', `${link}/on`);
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'application/json']);
    expect(inventory.home.driver.writes).toEqual([]);
  });
});

describe('a share that acts on POST only', () => {
  it('refuses GET with 405, naming POST, and takes POST', async () => {
    const link = await inventory.share('Front Door', { requirePost: true });
    const { status, headers, body } = await inventory.client.get(`${link}/unlock`);
    expect([status, headers.get('allow'), body.code]).toEqual([405, 'POST', 'method_not_allowed']);
    expect((await inventory.client.get(link)).status).toBe(200);
    expect((await inventory.client.post(`${link}/unlock`)).body.success).toBe(true);
  });

  it('asks a visitor once more, with a button that posts', async () => {
    const browser = new TestBrowser(inventory.app);
    const link = await inventory.share('Lamp', { requirePost: true });
    const answer = await browser.get(`${link}/on`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answer.text()).toContain('Yes, on');
    expect(inventory.lampIsOn()).toBe(false);
    const posted = await browser.post(`${link}/on`, { csrf: await browser.csrf(link) });
    expect([posted.status, posted.headers.get('location')]).toEqual([303, link]);
    expect(inventory.lampIsOn()).toBe(true);
  });
});

describe('a share of what opens, unlocks or disarms', () => {
  const lockIsAsked = (): boolean => inventory.home.driver.writes.length > 0;

  it('needs POST by default to unlock: GET answers 405 with Allow and a sentence', async () => {
    const link = await inventory.share('Front Door');
    const { status, headers, body } = await inventory.client.get(`${link}/unlock`);
    expect([status, headers.get('allow'), body.code]).toEqual([405, 'POST', 'method_not_allowed']);
    expect(body.error).toBe('Opening this address does nothing. Send a POST request, or use the button on the page.');
    expect(lockIsAsked()).toBe(false);
    expect((await inventory.client.post(`${link}/unlock`)).body.success).toBe(true);
  });

  it('still locks by GET: the verb decides', async () => {
    const link = await inventory.share('Front Door');
    expect((await inventory.client.get(`${link}/lock`)).body.success).toBe(true);
  });

  it('shows a person who opens the address a page with a button, which acts', async () => {
    const link = await inventory.share('Front Door');
    const browser = new TestBrowser(inventory.app);
    const answer = await browser.get(`${link}/unlock`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answer.text()).toContain('<form');
    expect(lockIsAsked()).toBe(false);
    expect((await browser.post(`${link}/unlock`, { csrf: await browser.csrf(link) })).status).toBe(303);
    expect(lockIsAsked()).toBe(true);
  });

  it.each(['position/100', 'position/0'])('needs POST by default to move a garage door: %s', async (verb) => {
    const link = await inventory.share('Garage');
    expect((await inventory.client.get(`${link}/${verb}`)).status).toBe(405);
    expect(lockIsAsked()).toBe(false);
    expect((await inventory.share('Blind').then((blind) => inventory.client.get(`${blind}/position/50`))).status).toBe(
      200,
    );
  });

  it('is any room or home that holds it when the link is used, and lamps in it still switch by GET', async () => {
    const { home } = inventory;
    const lamp = home.named('Lamp');
    const room = await inventory.shareEntity('room', lamp.roomId);
    const whole = await inventory.shareEntity('home', home.home.id);
    expect((await inventory.client.get(`${room}/unlock`)).status).toBe(422);
    home.accessories.update(systemCaller, home.named('Front Door').id, { roomId: lamp.roomId });
    for (const link of [room, whole]) {
      expect((await inventory.client.get(`${link}/unlock`)).status).toBe(405);
      expect((await inventory.client.get(`${link}/on`)).body.success).toBe(true);
    }
  });

  it('acts by GET if its owner allows it, and nothing acts by GET if its owner forbids it', async () => {
    const open = await inventory.share('Front Door', { requirePost: false });
    expect((await inventory.client.get(`${open}/unlock`)).body.success).toBe(true);
    const { id } = inventory.home.shares.ofHome(systemCaller, inventory.home.home.id)[0] ?? { id: '' };
    await inventory.home.shares.update(systemCaller, id, { requirePost: true });
    expect((await inventory.client.get(`${open}/lock`)).status).toBe(405);
  });

  it('shows its own choice, and uses the default if its row is older than the choice', async () => {
    const link = await inventory.share('Front Door');
    await inventory.share('Lamp');
    const [door, lamp] = inventory.home.shares.ofHome(systemCaller, inventory.home.home.id);
    expect([door?.requirePost, lamp?.requirePost]).toEqual([true, false]);
    const row = inventory.home.database
      .prepare('SELECT require_post, allow_get FROM shares WHERE id = ?')
      .get(door?.id);
    expect(row).toEqual({ require_post: 0, allow_get: 0 });
    expect((await inventory.client.get(`${link}/unlock`)).status).toBe(405);
  });
});

describe('a link that acts, touched by a person', () => {
  it('acts once and shows the page: loading it again does not act again', async () => {
    const link = await inventory.share('Lamp');
    const answer = await new TestBrowser(inventory.app).get(`${link}/toggle`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, link]);
    expect(inventory.lampIsOn()).toBe(true);
  });
});
