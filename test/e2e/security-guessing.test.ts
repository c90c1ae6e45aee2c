/**
 * Guessing (security checklist, rows 7, 8, 46): a guess through any API is one more guess at the same thing. Over real
 * HTTP, behind a proxy that names the client; hashes are counted and not computed.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hiddenFields, PageClient } from '../api/html/page-client.ts';
import { createOAuthFixture, type OAuthFixture } from '../support/oauth-fixture.ts';
import { createRestClient, createTestApi } from '../support/rest-client.ts';
import { turnOnSecondFactor } from '../support/second-factor.ts';
import { createTestHome, systemCaller } from '../support/test-home.ts';
import { CountingHasher } from '../support/test-users.ts';

/** A thousand are tried where nothing has to travel: `app/users/sign-in.test.ts`. */
const TRIES = 250;
const MINUTE_MS = 60_000;
const GUARDS = {
  ownHosts: () => new Set(['localhost', '127.0.0.1']),
  allowedHosts: [],
  allowedOrigins: [],
  publicUrl: null,
  trustedProxies: ['127.0.0.1'],
};

let fixture: OAuthFixture;
let hasher: CountingHasher;

beforeEach(async () => {
  hasher = new CountingHasher();
  fixture = await createOAuthFixture({ passwordHasher: hasher, api: { guards: GUARDS } });
  hasher.verified.length = 0;
});

afterEach(() => fixture.close());

/** Without an address it is this computer that asks. */
const from = (address: string | undefined): Record<string, string> =>
  address === undefined ? {} : { 'X-Forwarded-For': address };

async function send(address: string | undefined, path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(fixture.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/json', ...from(address), ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

const graphql = (address: string | undefined, query: string, variables: object, headers: Record<string, string> = {}) =>
  send(address, '/graphql', { query, variables }, headers);

/** Where no user is signed in. */
const addressOf = (n: number, addresses: number): string => `203.0.113.${n % addresses}`;

describe('a password', () => {
  const LOG_IN = 'mutation ($e: String!, $p: String!) { login(email: $e, password: $p) { success code } }';
  const CHANGE =
    'mutation ($p: String!) { changePassword(currentPassword: $p, newPassword: "another horse") { success code } }';

  type Entry = (address: string | undefined, password: string) => Promise<boolean>;

  /** Each reports whether it signed a user in. */
  async function openEntries(): Promise<Readonly<Record<string, Entry>>> {
    const { ann } = fixture;
    const bearer = { Authorization: `Bearer ${ann.token}` };
    const stranger = fixture.browserOf();
    stranger.jar.clear();
    const login = await stranger.get('/login');
    const browser = fixture.browserOf();
    const account = await browser.get('/account');
    const consents = fixture.browserOf();
    const { path } = await fixture.begin(await fixture.register());
    const consent = await fixture.follow(consents, await consents.get(path));
    const action = /action="(\/oauth\/interaction\/[^"]+)"/.exec(consent.text)?.[1] ?? '';
    const choice = { approve: 'yes', scope: 'read', all_homes: 'on' };
    return {
      'GraphQL login': async (address, password) =>
        (await graphql(address, LOG_IN, { e: ann.user.email, p: password })).text.includes('"success":true'),
      'GraphQL changePassword': async (address, password) =>
        (await graphql(address, CHANGE, { p: password }, bearer)).text.includes('"success":true'),
      'REST /rest/me/password': async (address, password) =>
        (await send(address, '/rest/me/password', { currentPassword: password, newPassword: 'another horse' }, bearer))
          .status === 200,
      'the sign-in page': async (address, password) => {
        const fields = { ...hiddenFields(login.text, '/login'), email: ann.user.email.toUpperCase(), password };
        return (await stranger.post('/login', fields, from(address))).status === 303;
      },
      'the account page': async (address, password) => {
        const fields = {
          ...hiddenFields(account.text, '/account/password'),
          currentPassword: password,
          newPassword: 'another horse',
        };
        return (await browser.post('/account/password', fields, from(address))).location?.includes('done') ?? false;
      },
      'the consent page': async (address, password) => {
        const fields = { ...hiddenFields(consent.text, action), ...choice, password };
        return (await consents.post(action, fields, from(address))).status === 303;
      },
    };
  }

  it(`is tried twice by who tries ${TRIES} times from one address, through every door in turn`, async () => {
    const entryPoints = Object.values(await openEntries());
    for (let n = 0; n < TRIES; n += 1) await entryPoints[n % entryPoints.length]?.('192.0.2.9', `guess ${n}`);
    expect(hasher.verified).toHaveLength(2);
    for (const [name, entry] of Object.entries(await openEntries()))
      expect([name, await entry('192.0.2.9', fixture.ann.password)]).toEqual([name, false]);
  });

  it(`is tried twenty times by who tries ${TRIES} times from fifty addresses; at the relay its owner comes in`, async () => {
    const all = await openEntries();
    const entryPoints = Object.values(all);
    for (let n = 0; n < TRIES; n += 1) await entryPoints[n % entryPoints.length]?.(addressOf(n, 50), `guess ${n}`);
    expect(hasher.verified).toHaveLength(20);
    expect(await all['GraphQL login']?.('198.51.100.1', fixture.ann.password)).toBe(false);
    for (const entry of ['GraphQL login', 'the sign-in page', 'the consent page', 'REST /rest/me/password'])
      expect([entry, await all[entry]?.(undefined, fixture.ann.password)]).toEqual([entry, true]);
  });

  it('of a known and of an unknown user are refused alike, in words and in work (row 7)', async () => {
    const answers: string[] = [];
    const work: number[] = [];
    for (const email of [
      fixture.ann.user.email,
      'nobody@example.org',
      'no address',
      `${'x'.repeat(200)}@example.org`,
    ]) {
      await fixture.home.clock.advance(15 * MINUTE_MS);
      const before = hasher.verified.length;
      const { status, text } = await graphql('192.0.2.9', LOG_IN, { e: email, p: 'wrong password' });
      const browser = fixture.browserOf();
      browser.jar.clear();
      const fields = {
        ...hiddenFields((await browser.get('/login')).text, '/login'),
        email,
        password: 'wrong password',
      };
      const page = await browser.post('/login', fields, from('192.0.2.9'));
      answers.push(
        `${status} ${text} ${page.status} ${page.text.replaceAll(email, '…').replace(/name="csrf" value="[^"]+"/g, '')}`,
      );
      work.push(hasher.verified.length - before);
    }
    expect(new Set(answers).size).toBe(1);
    expect(work).toEqual([2, 2, 2, 2]);
  });
});

describe('a code of the second step', () => {
  /** Each reports the reason of the refusal, `in`, or `wait`. */
  async function openEntries(): Promise<readonly ((address: string, code: string) => Promise<string>)[]> {
    const { ann } = fixture;
    const login = (address: string, code: string) =>
      graphql(
        address,
        'mutation ($e: String!, $p: String!, $c: String) { login(email: $e, password: $p, code: $c) { success code reason } }',
        { e: ann.user.email, p: ann.password, c: code },
      );
    const bearer = { Authorization: `Bearer ${ann.token}` };
    const browser = fixture.browserOf();
    browser.jar.clear();
    const form = await browser.get('/login');
    const page = await browser.submit(form, '/login', { email: ann.user.email, password: ann.password });
    const wordOf = (text: string): string => {
      if (text.includes('rate_limited') || text.includes('Too many tries')) return 'wait';
      return /wrong_second_factor|This code is wrong/.test(text) ? 'wrong' : 'in';
    };
    return [
      async (address, code) => wordOf((await login(address, code)).text),
      async (address, code) => {
        const fields = { ...hiddenFields(page.text, '/login'), code };
        return wordOf((await browser.post('/login', fields, from(address))).text);
      },
      async (address, code) => wordOf((await send(address, '/rest/me/second-factor/off', { code }, bearer)).text),
      async (address, code) =>
        wordOf((await send(address, '/rest/me/second-factor/recovery-codes', { code }, bearer)).text),
    ];
  }

  it('is tried ten times an hour by who has the password, through every door and from any address', async () => {
    await turnOnSecondFactor(fixture.home, fixture.ann);
    const entries = await openEntries();
    const outcomes: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      outcomes.push(String(await entries[n % entries.length]?.(`198.51.100.${n}`, `GUESS-${n}`)));
    }
    expect(outcomes).toEqual([...Array<string>(10).fill('wrong'), ...Array<string>(30).fill('wait')]);
  });

  it('is tried twice from one address before it has to wait, through every door in turn', async () => {
    await turnOnSecondFactor(fixture.home, fixture.ann);
    const entries = await openEntries();
    const outcomes: string[] = [];
    for (let n = 0; n < 8; n += 1)
      outcomes.push(String(await entries[n % entries.length]?.('192.0.2.9', `GUESS-${n}`)));
    expect(outcomes).toEqual(['wrong', 'wrong', ...Array<string>(6).fill('wait')]);
  });
});

describe('a passcode (row 46)', () => {
  const PASSCODE = '493817';
  let hash: string;

  type Entry = (address: string, passcode: string) => Promise<number>;

  const ENTRIES: Readonly<Record<string, Entry>> = {
    link: (address, passcode) => get(address, `/s/${hash}?passcode=${passcode}`),
    verb: (address, passcode) => get(address, `/s/${hash}/on?passcode=${passcode}`),
    'verb by POST': async (address, passcode) =>
      (await send(address, `/s/${hash}/off?passcode=${passcode}`, {})).status,
    stream: (address, passcode) => get(address, `/s/${hash}/events?passcode=${passcode}`),
    page: (address, passcode) => get(address, `/s/${hash}?passcode=${passcode}`, { Accept: 'text/html' }),
    'the page’s form': async (address, passcode) => {
      const browser = fixture.browserOf();
      browser.jar.clear();
      const action = `/s/${hash}/passcode`;
      const csrf =
        /name="csrf" value="([^"]+)"/.exec((await browser.get(`/s/${hash}`, from('198.51.100.77'))).text)?.[1] ?? '';
      return (await browser.post(action, { csrf, passcode }, from(address))).status;
    },
    publicEntity: (address, passcode) =>
      ask(address, `{ publicEntity(shareHash: "${hash}", passcode: "${passcode}") { role } }`),
    publicEntityAccessories: (address, passcode) =>
      ask(address, `{ publicEntityAccessories(shareHash: "${hash}", passcode: "${passcode}") { id } }`),
    'twenty aliases': (address, passcode) => {
      const fields = Array.from(
        { length: 20 },
        (_, n) => `a${n}: publicEntity(shareHash: "${hash}", passcode: "${passcode}${n}") { role }`,
      );
      return ask(address, `{ ${fields.join(' ')} }`);
    },
  };

  async function get(address: string, path: string, headers: Record<string, string> = {}): Promise<number> {
    const abort = new AbortController();
    const answer = await fetch(fixture.origin + path, {
      redirect: 'manual',
      signal: abort.signal,
      headers: { ...from(address), ...headers },
    });
    abort.abort();
    return answer.status;
  }

  const ask = async (address: string, query: string): Promise<number> => (await graphql(address, query, {})).status;

  beforeEach(async () => {
    const lamp = { entityType: 'accessory', entityId: fixture.home.named('Lamp').id };
    const row = { ...lamp, accessType: 'passcode', role: 'control', passcode: PASSCODE };
    hash = (await fixture.home.shares.create(systemCaller, row)).shareHash;
    hasher.verified.length = 0;
  });

  it.each([
    ['one address', 1, 5],
    ['fifty', 50, 25],
  ])(
    `is tried ${TRIES} times from %s through every door in turn, and looked at as often as one may`,
    async (_, addresses, most) => {
      const entryPoints = Object.values(ENTRIES);
      for (let n = 0; n < TRIES; n += 1)
        await entryPoints[n % entryPoints.length]?.(addressOf(n, addresses), `guess${n}`);
      expect(hasher.verified).toHaveLength(most);
      for (const name of ['link', 'verb', 'page', 'the page’s form'] as const)
        expect([name, await ENTRIES[name]?.(addressOf(0, 1), PASSCODE)]).toEqual([name, 429]);
      expect(hasher.verified).toHaveLength(most);
      await fixture.home.clock.advance(15 * MINUTE_MS);
      expect(await ENTRIES.link?.(addressOf(0, 1), PASSCODE)).toBe(200);
    },
  );
});

describe('the setup code', () => {
  it('is void after five wrong ones, from all entry points; the admin of the relay makes another', async () => {
    const home = createTestHome({ passwordHasher: new CountingHasher() });
    const app = createTestApi(home);
    const client = createRestClient(app);
    const person = { email: 'ann@example.org', password: 'correct horse' };
    const signUp = async (setupCode: string): Promise<boolean> => {
      const query =
        'mutation ($e: String!, $p: String!, $c: String) { signup(email: $e, password: $p, setupCode: $c) { success } }';
      const { body } = await client.post('/graphql', {
        query,
        variables: { e: person.email, p: person.password, c: setupCode },
      });
      return body.data.signup.success;
    };
    const byPage = async (setupCode: string): Promise<boolean> => {
      const browser = new PageClient(app);
      return (
        (await browser.submit(await browser.get('/setup'), '/setup', { ...person, name: 'Ann', setupCode })).status ===
        303
      );
    };
    const { code } = home.setupCodes.renew(systemCaller);
    for (const [n, claim] of [signUp, byPage, signUp, byPage, signUp].entries())
      expect(await claim(`ABCD-234${n + 2}`)).toBe(false);
    expect([await signUp(code), await byPage(code), home.users.isClaimed()]).toEqual([false, false, false]);
    // Other sites' pages get no try at all.
    expect((await client.post('/setup', 'x', { Origin: 'https://evil.example' })).status).toBe(403);
    expect(await byPage(home.setupCodes.renew(systemCaller).code)).toBe(true);
    home.close();
  });
});
