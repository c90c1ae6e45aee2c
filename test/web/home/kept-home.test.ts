/** The home that a device keeps: what of it, for whom, how long, and what is shown of it later. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accessoryOf, heldBy, homeOf, lampOf } from './sample-home.ts';

const DAY_MS = 86_400_000;
const KEY = 'hearthd.lastHome';
const TOKEN = 'hs_0123456789abcdefghijklmnopqrstuvwxyz';
const ANSWER = {
  me: { id: 'ada', name: 'Ada', email: 'ada@example.org', isAdmin: false, accountType: 'user' },
  settings: { data: JSON.stringify({ 'dashboard.home': { hidden: ['1'] }, 'other.client': 'its own' }) },
  homes: [{ id: 'home', name: 'Home', role: 'owner', isPrimary: true, connected: true }],
  pendingInvitations: [],
};

let lasting: Map<string, string>;
let ofTab: Map<string, string>;

function storageOf(kept: Map<string, string>) {
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2030-01-01T08:12:00Z'), toFake: ['Date', 'setTimeout'] });
  lasting = new Map();
  ofTab = new Map();
  vi.stubGlobal('localStorage', storageOf(lasting));
  vi.stubGlobal('sessionStorage', storageOf(ofTab));
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('document', { addEventListener: () => {}, visibilityState: 'visible' });
  vi.stubGlobal('requestAnimationFrame', (act: () => void) => act());
  vi.stubGlobal('fetch', async () => Response.json({ data: ANSWER }));
  vi.resetModules();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The page as it opens: its modules without anything in memory. */
async function openPage() {
  vi.resetModules();
  const { sessionHolder } = await import('../../../src/web/dashboard/api/session.ts');
  const { homeStore } = await import('../../../src/web/dashboard/home/home-store.ts');
  const kept = await import('../../../src/web/dashboard/home/kept-home.ts');
  const { askHomesAhead } = await import('../../../src/web/dashboard/account/account.ts');
  kept.forgetKeptWithSession();
  const shows = () => kept.showKeptHome(sessionHolder.get() ?? raise());
  return { sessionHolder, homeStore, askHomesAhead, shows, ...kept };
}

function raise(): never {
  throw new Error('There is no session');
}

const signal = accessoryOf('lamp', 'light', {
  accessory_information: { serial_number: 'SN-12345' },
  lightbulb: { power_state: true },
});

/** Signs in, shows a home as the relay gives it, and keeps it. */
async function keep(isKept = true) {
  const page = await openPage();
  page.sessionHolder.begin({ token: TOKEN, expiresAt: '2030-01-05T00:00:00Z', kept: isKept });
  await page.askHomesAhead();
  page.homeStore.load({ ...homeOf([signal]), latitude: 52.5, longitude: 13.4 });
  page.keepHome();
  return page;
}

describe('the home that a device keeps', () => {
  it('is shown by the next page, with the time of its values, and replaced by the relay’s', async () => {
    await keep();
    const { shows, homeStore } = await openPage();
    expect(shows()).toBe(true);
    expect(homeStore.keptAt).toBe(Date.parse('2030-01-01T08:12:00Z'));
    expect(heldBy(homeStore.accessory('lamp'), 'power_state')).toBe(true);
    homeStore.load(homeOf([lampOf('lamp', false)]));
    expect(homeStore.keptAt).toBeUndefined();
  });

  it('has no token, address, place or serial number in it, nor settings of other clients', async () => {
    await keep();
    const text = lasting.get(KEY) ?? '';
    for (const secret of [TOKEN.slice(-16), 'example.org', '52.5', '13.4', 'SN-12345', 'its own'])
      expect(text).not.toContain(secret);
    expect(text).toContain('dashboard.home');
  });

  it('has the values that the relay reported, not those that a user has just set', async () => {
    const { homeStore, keepHome } = await keep();
    homeStore.expect('lamp', 'lamp.4', false);
    keepHome();
    const { shows, homeStore: next } = await openPage();
    expect(shows()).toBe(true);
    expect(heldBy(next.accessory('lamp'), 'power_state')).toBe(true);
    expect(next.accessory('lamp')?.isPending).toBeUndefined();
  });

  it('is not kept again while it is the one that was kept', async () => {
    await keep();
    const page = await openPage();
    page.shows();
    await page.askHomesAhead();
    const before = lasting.get(KEY);
    vi.setSystemTime(Date.parse('2030-01-01T09:00:00Z'));
    page.keepHome();
    expect(lasting.get(KEY)).toBe(before);
  });

  it('is in the storage of the tab if the session is', async () => {
    await keep(false);
    expect([lasting.has(KEY), ofTab.has(KEY)]).toEqual([false, true]);
  });

  it.each([
    ['signed out', 'signed-out'],
    ['refused', 'refused'],
  ] as const)('goes with a session that was %s', async (_, ending) => {
    const { sessionHolder } = await keep();
    expect(lasting.has(KEY)).toBe(true);
    sessionHolder.end(ending);
    expect(lasting.has(KEY)).toBe(false);
  });

  it('stays through a renewal of the token, and goes when another person signs in', async () => {
    const { sessionHolder } = await keep();
    sessionHolder.renew('hs_new', '2030-01-06T00:00:00Z');
    expect(lasting.has(KEY)).toBe(true);
    sessionHolder.begin({ token: 'hs_of_grace_who_signs_in_next', expiresAt: null, kept: true });
    expect(lasting.has(KEY)).toBe(false);
  });

  it('goes when the page opens without a session', async () => {
    await keep();
    lasting.delete('hearthd.session');
    await openPage();
    expect(lasting.has(KEY)).toBe(false);
  });

  it('is not shown once its token has ended', async () => {
    await keep();
    vi.setSystemTime(Date.parse('2030-01-05T00:00:01Z'));
    const { shows, homeStore } = await openPage();
    expect([shows(), homeStore.inventory, lasting.has(KEY)]).toEqual([false, undefined, false]);
  });

  it('is not shown if another home was chosen on this device', async () => {
    await keep();
    lasting.set('hearthd.home', 'boat');
    const kept = JSON.parse(lasting.get(KEY) ?? '');
    kept.account.homes.push({ ...ANSWER.homes[0], id: 'boat', isPrimary: false });
    lasting.set(KEY, JSON.stringify(kept));
    expect((await openPage()).shows()).toBe(false);
  });

  it('is left out where it is too large, or the storage is full', async () => {
    const { homeStore, keepHome } = await keep();
    homeStore.load(homeOf([{ ...signal, name: 'x'.repeat(3_000_001) }]));
    keepHome();
    expect(lasting.has(KEY)).toBe(false);
    homeStore.load(homeOf([signal]));
    keepHome();
    expect(lasting.has(KEY)).toBe(true);
    vi.stubGlobal('localStorage', {
      ...storageOf(lasting),
      setItem: () => {
        throw new Error('QuotaExceededError');
      },
    });
    keepHome();
    expect(lasting.has(KEY)).toBe(false);
  });

  it.each([
    ['another version', { version: 'other' }],
    ['another session', { session: 'other' }],
    ['a week ago', { at: Date.parse('2030-01-01T08:12:00Z') - 7 * DAY_MS }],
    ['the future', { at: Date.parse('2030-01-01T08:13:00Z') }],
  ])('is not shown if it is of %s', async (_, change) => {
    await keep();
    lasting.set(KEY, JSON.stringify({ ...JSON.parse(lasting.get(KEY) ?? ''), ...change }));
    const { shows } = await openPage();
    expect([shows(), lasting.has(KEY)]).toEqual([false, false]);
  });

  it('is not shown if it is damaged', async () => {
    await keep();
    lasting.set(KEY, '{');
    expect((await openPage()).shows()).toBe(false);
  });
});
