/**
 * Every page that the server renders, as a browser comes to see it: one walk through a home, in the language that the
 * browser asks for.
 */
import { codeOf, stepAt } from '../../../src/app/users/totp.ts';
import { turnOnSecondFactor } from '../../support/second-factor.ts';
import { systemCaller } from '../../support/test-home.ts';
import { anonymousCaller, createUser } from '../../support/test-users.ts';
import { createShareHome, type ShareHome } from '../share/share-home.ts';
import { type PageAnswer, PageClient } from './page-client.ts';

const SESSION = 'hearthd_session';
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Safari/604.1';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.0 Safari/605.1.15';
const CALLBACK = 'https://app.example/callback';
const PASSCODE = 'fir tree';

/** Each page by what it is about. */
export type Pages = Map<string, PageAnswer>;

/**
 * @param language the Accept-Language header; none where left out. @param name of a person and a thing, in every place
 * that shows names
 */
export async function visitEveryPage(language?: string, name = 'Bob'): Promise<Pages> {
  const pages: Pages = new Map();
  await visitNewRelay(pages, language);
  const inventory = createShareHome();
  try {
    await visitAccounts(pages, inventory, language, name);
    await visitApps(pages, inventory, language, name);
    await visitShares(pages, inventory, language, name);
  } finally {
    inventory.home.close();
  }
  return pages;
}

function browserFor({ app }: Pick<ShareHome, 'app'>, language: string | undefined, token?: string): PageClient {
  const request: typeof app.request = (url, init) => {
    const headers = new Headers(init?.headers);
    if (language !== undefined) headers.set('Accept-Language', language);
    return app.request(url, { ...init, headers });
  };
  const browser = new PageClient({ request });
  if (token !== undefined) browser.jar.set(SESSION, token);
  return browser;
}

async function visitNewRelay(pages: Pages, language: string | undefined): Promise<void> {
  const inventory = createShareHome();
  const { home } = inventory;
  const browser = browserFor(inventory, language);
  pages.set('not built', await browser.get('/'));
  const setup = await browser.get('/setup');
  pages.set('setup', setup);
  const person = { email: 'ann@example.org', name: 'Ann', password: 'correct horse' };
  const tries: Record<string, Record<string, string>> = {
    code: { ...person, setupCode: 'WRONG234' },
    password: { ...person, password: 'short' },
    address: { ...person, email: 'nobody' },
    name: { ...person, name: 'x'.repeat(200) },
  };
  for (const [fault, fields] of Object.entries(tries)) {
    const { code } = home.setupCodes.renew(systemCaller);
    pages.set(`setup, bad ${fault}`, await browser.submit(setup, '/setup', { setupCode: code, ...fields }));
  }
  await createUser(home, { founder: true });
  pages.set('setup, taken', await browser.submit(setup, '/setup', { ...person, setupCode: 'AAAA-AAAA' }));
  home.close();
}

async function visitAccounts(
  pages: Pages,
  inventory: ShareHome,
  language: string | undefined,
  name: string,
): Promise<void> {
  const { home } = inventory;
  const ann = await createUser(home, { name: 'Ann', founder: true });
  const anonymous = browserFor(inventory, language);
  const login = await anonymous.get('/login');
  pages.set('login', login);
  pages.set('signed out', await anonymous.get('/login?done=signed-out'));
  const atApp = `/login?return_to=${encodeURIComponent('/oauth/interaction/Ab-1')}`;
  pages.set('login for an app', await anonymous.get(atApp));
  const wrong = { email: ann.user.email, password: 'not it' };
  pages.set('wrong password', await anonymous.submit(login, '/login', wrong));
  pages.set('foreign form', await anonymous.post('/login', wrong));
  pages.set('no form', await anonymous.post('/login', wrong, { 'Content-Type': 'text/plain' }));
  pages.set('large form', await anonymous.post('/login', { email: 'x'.repeat(70_000) }));
  for (let tries = 0; tries < 10; tries += 1) {
    const answer = await anonymous.submit(login, '/login', { ...wrong, email: 'mallory@example.org' });
    if (answer.status === 429) pages.set('too many tries', answer);
  }
  const carl = await createUser(home, { name: 'Carl' });
  await turnOnSecondFactor(home, carl);
  const withCode = { email: carl.user.email, password: carl.password };
  const code = await anonymous.submit(login, '/login', withCode);
  pages.set('code', code);
  pages.set('wrong code', await anonymous.submit(code, '/login', { code: 'x' }));
  pages.set('signed in, to an app', await browserFor(inventory, language, ann.pageToken).get(atApp));

  const bob = await createUser(home, { name: 'Bob' });
  home.users.rename(systemCaller, bob.user.id, name);
  home.homes.update(systemCaller, home.home.id, { name });
  const invite = (email: string, role: string): string => {
    const { invitation } = home.members.invite(ann.caller, { homeId: home.home.id, email, role });
    return `/invite/${invitation?.code}`;
  };
  const link = invite('dan@example.org', 'view');
  const signUp = await anonymous.get(link);
  pages.set('invitation', signUp);
  pages.set('invitation, bad password', await anonymous.submit(signUp, link, { password: 'short' }));
  pages.set('invitation for somebody else', await browserFor(inventory, language, bob.pageToken).get(link));
  pages.set('invitation that is over', await anonymous.get('/invite/x'));
  for (const role of ['owner', 'admin', 'control']) {
    const own = invite(`${role}@example.org`, role);
    const { pageToken } = await createUser(home, { name: role });
    pages.set(`own invitation as ${role}`, await browserFor(inventory, language, pageToken).get(own));
  }
  home.members.invite(ann.caller, { homeId: home.home.id, email: bob.user.email, role: 'control' });
  for (const device of [PHONE, MAC, undefined])
    await home.users.logIn(anonymousCaller(), { ...bob.user, password: bob.password, ...(device && { device }) });
  const browser = browserFor(inventory, language, bob.pageToken);
  const account = await browser.get('/account');
  pages.set('account', account);
  for (const word of ['claimed', 'joined', 'declined', 'password', 'session', 'sessions', 'app'])
    pages.set(`account, ${word}`, await browser.get(`/account?done=${word}`));
  const change = (currentPassword: string, newPassword: string) =>
    browser.submit(account, '/account/password', { currentPassword, newPassword });
  pages.set('account, wrong password', await change('not it', 'correct horse'));
  pages.set('account, short password', await change(bob.password, 'short'));
  const step = await browser.get('/account/second-step');
  pages.set('second step', step);
  const setUp = (currentPassword: string) => browser.submit(step, '/account/second-step', { currentPassword });
  pages.set('second step, wrong password', await setUp('not it'));
  await home.clock.advance(2_000);
  await setUp(bob.password);
  const key = await browser.get('/account/second-step');
  pages.set('second step, key', key);
  const confirm = (code: string) => browser.submit(key, '/account/second-step/confirm', { code });
  pages.set('second step, wrong code', await confirm('x'));
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(key.text)?.[1] ?? '').replaceAll(' ', '');
  pages.set('second step, recovery codes', await confirm(codeOf(secret, stepAt(home.clock.now()))));
  pages.set('account with a second step', await browser.get('/account'));
  const csrf = /name="csrf" value="([^"]+)"/.exec(account.text)?.[1] ?? '';
  pages.set('session that is over', await browser.post('/account/sessions/x/end', { csrf }));
}

async function visitApps(
  pages: Pages,
  inventory: ShareHome,
  language: string | undefined,
  name: string,
): Promise<void> {
  const { home } = inventory;
  const eve = await createUser(home, { name: 'Eve', role: 'owner' });
  const browser = browserFor(inventory, language, eve.pageToken);
  pages.set('app that nobody knows', await browser.get('/oauth/authorize?client_id=x'));
  const metadata = {
    redirect_uris: [CALLBACK, 'com.example.app:/cb'],
    client_name: name,
    client_uri: 'https://app.example',
  };
  const { client } = home.oauthClients.register({ address: '192.0.2.9' }, metadata);
  const consent = async (changes: Record<string, string>): Promise<PageAnswer> => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: CALLBACK,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      scope: 'mcp:read mcp:write mcp:admin',
      state: 'state',
      ...changes,
    });
    let answer = await browser.get(`/oauth/authorize?${query}`);
    while (answer.location?.startsWith('/') || answer.location?.startsWith('http://localhost'))
      answer = await browser.get(answer.location.replace('http://localhost', ''));
    return answer;
  };
  pages.set('app sent elsewhere', await consent({ redirect_uri: 'https://evil.example/' }));
  pages.set('consent on this device', await consent({ redirect_uri: 'com.example.app:/cb' }));
  const page = await consent({});
  pages.set('consent', page);
  const action = /action="(\/oauth\/interaction\/[^"]+)"/.exec(page.text)?.[1] ?? '';
  const all = { approve: 'yes', all_homes: 'on', scope: 'write' };
  pages.set('consent, wrong password', await browser.submit(page, action, { ...all, password: 'not it' }));
  pages.set('consent, no scope', await browser.submit(page, action, { ...all, scope: 'x' }));
  pages.set('consent, no home', await browser.submit(page, action, { approve: 'yes', scope: 'read' }));
  pages.set('consent that is over', await browser.get('/oauth/interaction/x'));
  await browser.submit(page, action, { ...all, password: eve.password });
  pages.set('account with apps', await browser.get('/account'));
}

async function visitShares(
  pages: Pages,
  inventory: ShareHome,
  language: string | undefined,
  name: string,
): Promise<void> {
  const { home } = inventory;
  const browser = browserFor(inventory, language);
  const csrfOf = async (path: string) => /name="csrf" value="([^"]+)"/.exec((await browser.get(path)).text)?.[1] ?? '';
  const whole = await inventory.shareEntity('home', home.home.id);
  home.accessories.update(systemCaller, home.named('Heater').id, { name });
  const make = (virtual: string, input: Record<string, unknown>): void =>
    void home.virtuals.create(systemCaller, { homeId: home.home.id, name: virtual, ...input } as never);
  make('Egg', { type: 'timer', duration: 300 });
  make('Visitors', { type: 'counter' });
  make('Alarm clock', { type: 'input_datetime', hasDate: false, hasTime: true });
  make('Level', { type: 'input_number' });
  pages.set('share', await browser.get(whole));
  const looking = await inventory.share('Thermostat', { role: 'view' });
  pages.set('share to look at', await browser.get(looking));
  home.driver.setReachable('10:00:00:00:00:02', false);
  home.registry.setConnected(home.home.id, false);
  pages.set('share that is away', await browser.get(looking));
  home.registry.setConnected(home.home.id, true);

  const closed = await inventory.share('Kettle', { accessType: 'passcode', passcode: PASSCODE });
  pages.set('passcode', await browser.get(closed));
  const guess = { csrf: await csrfOf(closed), passcode: 'pine' };
  pages.set('passcode, wrong', await browser.post(`${closed}/passcode`, guess));
  pages.set('passcode, foreign form', await browser.post(`${closed}/passcode`, { passcode: PASSCODE }));
  await inventory.share('Motion', { accessType: 'passcode', passcode: PASSCODE });
  const both = await inventory.share('Motion', { role: 'view' });
  pages.set('share with a passcode for more', await browser.get(both));

  const personal = await inventory.share('Ceiling', { accessType: 'user', userEmail: 'ann@example.org' });
  pages.set('share for somebody', await browser.get(personal));
  const later = { starts_at: new Date(home.clock.now() + 3_600_000).toISOString() };
  pages.set('share that is closed', await browser.get(await inventory.share('Blind', { accessSchedule: later })));
  pages.set('share that is none', await browser.get('/s/x'));

  const door = await inventory.share('Front Door', { requirePost: true });
  pages.set('confirm', await browser.get(`${door}/unlock`));
  const lamp = await inventory.share('Lamp');
  const confirmed = await inventory.share('Lamp', { accessType: 'passcode', passcode: PASSCODE, requirePost: true });
  pages.set('bad value', await browser.get(`${confirmed}/brightness/400`));
  pages.set('link read in advance', await browser.get(`${lamp}/on`, { 'Sec-Purpose': 'prefetch' }));
  const accessory = home.named('Lamp').id;
  const csrf = await csrfOf(lamp);
  const set = (fields: Record<string, string>) => browser.post(`${lamp}/set`, { csrf, accessory, ...fields });
  pages.set('value that is refused', await set({ property: 'brightness', value: 'x' }));
  pages.set('property that is none', await set({ property: 'nothing', value: 'x' }));
  pages.set('value that is missing', await set({ property: 'brightness' }));
  home.driver.setReachable('10:00:00:00:00:01', false);
  pages.set('device that is away', await set({ property: 'brightness', value: '40' }));
  pages.set('share that only shows', await browser.get(`${looking}/on`));
  pages.set('method that is none', await browser.post(`${lamp}`, {}));
  inventory.home.shares.open = () => Promise.reject(new Error('broken'));
  pages.set('broken', await browser.get(lamp));
}
