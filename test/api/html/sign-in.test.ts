import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi } from '../../support/rest-client.ts';
import { type TestSecondFactor, turnOnSecondFactor } from '../../support/second-factor.ts';
import { SoftwareAuthenticator, type TestCredential } from '../../support/software-authenticator.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';
import { hiddenFields, type PageAnswer, PageClient } from './page-client.ts';

const SESSION = 'hearthd_session';

let home: TestHome;
let client: PageClient;

beforeEach(() => {
  home = createTestHome({ passwordHasher: new CountingHasher() });
  client = new PageClient(createTestApi(home));
});

afterEach(() => home.close());

async function signIn(email: string, password: string, path = '/login'): Promise<PageAnswer> {
  return client.submit(await client.get(path), '/login', { email, password });
}

describe('the first claim', () => {
  const person = { email: 'ann@example.org', name: 'Ann', password: 'correct horse battery' };

  it('is where browsers are sent until the relay has an owner, and programs are not', async () => {
    expect((await client.get('/')).text).toMatch(/not built.*href="\/setup"/s);
    expect((await client.get('/login')).location).toBe('/setup');
    const program = await client.get('/', { Accept: '*/*' });
    expect([program.status, JSON.parse(program.text).error]).toEqual([401, 'invalid_token']);
  });

  it('makes the person with the code the owner, signed in', async () => {
    const { code } = home.setupCodes.renew(systemCaller);
    const answer = await client.submit(await client.get('/setup'), '/setup', {
      ...person,
      setupCode: code.toLowerCase(),
    });
    expect([answer.status, answer.location]).toEqual([303, '/account?done=claimed']);
    const account = await client.get('/account?done=claimed');
    expect(account.text).toContain('You are now the owner.');
    expect(account.text).toContain('<bdi>Ann</bdi>');
    expect((await client.get('/setup')).location).toBe('/login');
  });

  it('gives back what was typed, but for the code and the password, when the code is wrong', async () => {
    home.setupCodes.renew(systemCaller);
    const answer = await client.submit(await client.get('/setup'), '/setup', { ...person, setupCode: 'WRONG234' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('The setup code is wrong or no longer valid.');
    expect(answer.text).toContain('value="ann@example.org"');
    expect(answer.text).not.toMatch(/WRONG234|correct horse/);
    expect(answer.text).toMatch(/<title>Error: /);
    expect(client.jar.has(SESSION)).toBe(false);
  });

  it('shows beside the field what is wrong with it', async () => {
    const { code } = home.setupCodes.renew(systemCaller);
    const weak = { ...person, setupCode: code, password: 'short' };
    const answer = await client.submit(await client.get('/setup'), '/setup', weak);
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/id="password-problem">Invalid value for password/);
    expect(answer.text).toMatch(/<input id="password"[^>]*aria-describedby="password-hint password-problem"/);
    expect(answer.text).toMatch(/<input id="password"[^>]*aria-invalid="true"/);
  });

  it('works once: a second claim is refused', async () => {
    const page = await client.get('/setup');
    await createUser(home, { founder: true });
    const answer = await client.submit(page, '/setup', { ...person, setupCode: 'AAAA-AAAA' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('This relay already has an owner.');
    expect(client.jar.has(SESSION)).toBe(false);
  });
});

describe('signing in', () => {
  let ann: TestUser;

  beforeEach(async () => {
    ann = await createUser(home, { name: 'Ann', founder: true });
  });

  it('leads to the account, by a redirect that sends the form no further', async () => {
    const answer = await signIn(ann.user.email, ann.password);
    expect([answer.status, answer.location, answer.text]).toEqual([303, '/account', '']);
    expect((await client.get('/account')).text).toContain('<bdi>Ann</bdi>');
    expect((await client.get('/login')).location).toBe('/account');
  });

  it('makes a new session each time, and ends the one that the browser had', async () => {
    await signIn(ann.user.email, ann.password);
    const first = client.jar.get(SESSION) ?? '';
    // A page from before, sent again by hand: what the jar holds decides.
    const { text } = await client.get('/account');
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const again = await client.post('/login', { csrf, email: ann.user.email, password: ann.password });
    expect(again.status).toBe(303);
    const second = client.jar.get(SESSION) ?? '';
    expect(second).not.toBe(first);
    await expect(home.sessions.authenticate(first, 'pages')).rejects.toMatchObject({ code: 'invalid_token' });
    await expect(home.sessions.authenticate(second, 'pages')).resolves.toMatchObject({ userId: ann.user.id });
  });

  it('takes no session that was planted before: there is another one afterwards', async () => {
    client.jar.set(SESSION, 'planted.by.somebody');
    await signIn(ann.user.email, ann.password);
    expect(client.jar.get(SESSION)).not.toBe('planted.by.somebody');
  });

  it('answers the same page for an unknown address as for a wrong password', async () => {
    const shapeOf = ({ status, text }: PageAnswer): unknown => [status, text.replaceAll(/value="[^"]*"/g, '')];
    const wrong = await signIn(ann.user.email, 'not it at all');
    const unknown = await signIn('nobody@example.org', 'not it at all');
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('role="alert"');
    expect(shapeOf(unknown)).toEqual(shapeOf(wrong));
    expect(wrong.text).not.toContain('not it at all');
    expect(wrong.text).not.toContain('-problem"');
    expect(client.jar.has(SESSION)).toBe(false);
  });

  it('shows how long to wait after too many tries', async () => {
    let answer = await signIn(ann.user.email, 'wrong one');
    for (let tries = 0; answer.status === 422 && tries < 20; tries += 1)
      answer = await signIn(ann.user.email, 'wrong one');
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.text).toMatch(/Too many tries\. Wait .*second/);
    await home.clock.advance(60_000);
    expect((await signIn(ann.user.email, ann.password)).status).toBe(303);
  });

  it.each(['/account/x', '/s/AbCd', '/invite/AbCd'])('goes on to %s if it was asked for from there', async (path) => {
    const at = `/login?return_to=${encodeURIComponent(path)}`;
    expect((await signIn(ann.user.email, ann.password, at)).location).toBe(path);
    expect((await client.get(at)).location).toBe(path);
  });

  it('goes on to an app’s sign-in by a page, since Chromium would stop the redirects after a form on their way to the app', async () => {
    const path = '/oauth/interaction/Ab-1?x=1&y=2';
    const at = `/login?return_to=${encodeURIComponent(path)}`;
    const answer = await signIn(ann.user.email, ann.password, at);
    expect([answer.status, answer.location]).toEqual([303, at]);
    const page = await client.get(at);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<meta http-equiv="refresh" content="0; url=/oauth/interaction/Ab-1?x=1&amp;y=2"/>');
    expect(page.text).toContain('href="/oauth/interaction/Ab-1?x=1&amp;y=2"');
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/rest/state'])(
    'goes nowhere else, regardless of the address: %s',
    async (path) => {
      const at = `/login?return_to=${encodeURIComponent(path)}`;
      expect((await client.get(at)).text).not.toContain('evil');
      const forged = { return_to: path, email: ann.user.email, password: ann.password };
      expect((await client.submit(await client.get(at), '/login', forged)).location).toBe('/account');
    },
  );

  it('keeps where it goes when the password was wrong', async () => {
    const at = `/login?return_to=${encodeURIComponent('/s/AbCd')}`;
    const wrong = await signIn(ann.user.email, 'wrong one', at);
    const right = { email: ann.user.email, password: ann.password };
    expect((await client.submit(wrong, '/login', right)).location).toBe('/s/AbCd');
  });

  it('is refused as a page of its own without the form’s token', async () => {
    const answer = await client.post('/login', { email: ann.user.email, password: ann.password });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.text).toContain('This form has expired');
    expect(client.jar.has(SESSION)).toBe(false);
  });

  it('is refused from another site’s page before anything is looked at', async () => {
    const page = await client.get('/login');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const fields = { csrf, email: ann.user.email, password: ann.password };
    for (const Origin of ['https://evil.example', 'null']) {
      expect((await client.post('/login', fields, { Origin })).status).toBe(403);
    }
    expect(client.jar.has(SESSION)).toBe(false);
  });

  it('reads no form larger than any of ours', async () => {
    const page = await client.get('/login');
    const answer = await client.submit(page, '/login', { email: 'x'.repeat(70_000), password: 'x' });
    expect(answer.status).toBe(413);
    expect(answer.headers.get('content-type')).toContain('text/html');
  });
});

describe('signing out', () => {
  it('ends the session itself, deletes the cookies, and confirms it', async () => {
    const ann = await createUser(home, { name: 'Ann', founder: true });
    await signIn(ann.user.email, ann.password);
    const token = client.jar.get(SESSION) ?? '';
    const answer = await client.submit(await client.get('/account'), '/logout');
    expect([answer.status, answer.location]).toEqual([303, '/login?done=signed-out']);
    expect([...client.jar]).toEqual([]);
    await expect(home.sessions.authenticate(token, 'pages')).rejects.toMatchObject({ code: 'invalid_token' });
    expect((await client.get('/login?done=signed-out')).text).toContain('You are signed out.');
    expect((await client.get('/account')).location).toBe('/login?return_to=%2Faccount');
  });

  it('can’t be caused by another site', async () => {
    const ann = await createUser(home, { name: 'Ann', founder: true });
    await signIn(ann.user.email, ann.password);
    expect((await client.post('/logout', {})).status).toBe(403);
    expect((await client.get('/logout')).status).toBe(401);
    expect((await client.get('/account')).status).toBe(200);
  });
});

describe('a sign-in with a second step', () => {
  let ann: TestUser;
  let factor: TestSecondFactor;

  beforeEach(async () => {
    ann = await createUser(home, { founder: true });
    factor = await turnOnSecondFactor(home, ann);
  });

  const password = (path?: string) => signIn(ann.user.email, ann.password, path);
  const send = (page: PageAnswer, code: string) => client.submit(page, '/login', { code });

  it('asks for the code on a page of its own, without the password in it', async () => {
    const page = await password();
    expect(page.status).toBe(200);
    expect(page.text).toContain('<h1>Enter your code</h1>');
    expect(page.text).toMatch(/name="code"[^>]*autocomplete="one-time-code"/);
    expect(page.text).not.toContain(ann.password);
    expect(client.jar.has(SESSION)).toBe(false);
    const done = await send(page, factor.code());
    expect([done.status, done.location]).toEqual([303, '/account']);
    expect((await client.get('/account')).text).toContain('<bdi>Ann</bdi>');
  });

  it('goes on to where it was begun, an app for example', async () => {
    const path = '/oauth/interaction/Ab-1';
    const page = await password(`/login?return_to=${encodeURIComponent(path)}`);
    const done = await send(page, factor.code());
    expect([done.status, done.location]).toEqual([303, `/login?return_to=${encodeURIComponent(path)}`]);
  });

  it('shows by how much the clock of the phone differs, in the language of the page', async () => {
    const page = await signIn(ann.user.email, ann.password);
    await send(page, factor.code(-116));
    await home.clock.advance(30_000);
    const answer = await send(page, factor.code(-116));
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('the clock of the phone is about 58 minutes behind the relay’s.');
    await home.clock.advance(30_000);
    const german = { 'Accept-Language': 'de' };
    const fields = { ...hiddenFields(page.text, '/login'), code: factor.code(-116) };
    expect((await client.post('/login', fields, german)).text).toContain(
      'Die Uhr des Telefons geht gegenüber der des Relays um etwa 58 Minuten nach.',
    );
  });

  it('shows the form again after a wrong code, and takes a recovery code there', async () => {
    const wrong = await send(await password(), 'ABCD-EFGH');
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('This code is wrong, or was used before.');
    const done = await send(wrong, factor.recoveryCodes[0] ?? '');
    expect(done.status).toBe(303);
    expect(client.jar.has(SESSION)).toBe(true);
  });

  it('begins again with the password when it took too long', async () => {
    const page = await password();
    await home.clock.advance(10 * 60_000);
    const late = await send(page, factor.code());
    expect(late.status).toBe(422);
    expect(late.text).toContain('Sign in again.');
    expect(late.text).toMatch(/name="password"/);
  });

  it('is in German where the browser is', async () => {
    const german = { 'Accept-Language': 'de' };
    const form = await client.get('/login', german);
    const fields = { ...hiddenFields(form.text, '/login'), email: ann.user.email, password: ann.password };
    const page = await client.post('/login', fields, german);
    expect(page.text).toContain('<h1>Anmeldecode eingeben</h1>');
    const wrong = await client.post('/login', { ...hiddenFields(page.text, '/login'), code: '1' }, german);
    expect(wrong.text).toContain('Dieser Code ist falsch oder wurde schon benutzt.');
  });
});

describe('signing in with a passkey', () => {
  const origin = 'http://localhost';
  const phone = new SoftwareAuthenticator(origin);
  let ann: TestUser;

  beforeEach(async () => {
    ann = await createUser(home, { name: 'Ann', founder: true });
  });

  async function createPasskey(user: TestUser): Promise<TestCredential> {
    const begun = await home.passkeys.begin(user.caller, { currentPassword: user.password }, { origin });
    const { credential, response } = phone.create(begun);
    await home.passkeys.create(user.caller, { name: 'Phone', response }, { origin });
    return credential;
  }

  /** As the page's script does it. */
  async function usePasskey(page: PageAnswer, credential: TestCredential): Promise<PageAnswer> {
    const fields = hiddenFields(page.text, '/login');
    const begun = await client.post('/login/passkey', fields);
    expect([begun.status, begun.headers.get('content-type')]).toEqual([200, 'application/json']);
    const passkey = JSON.stringify(phone.sign(credential, JSON.parse(begun.text)));
    return client.post('/login', { ...fields, passkey });
  }

  it('needs nothing else, and leads on to where the page was to lead', async () => {
    const credential = await createPasskey(ann);
    const answer = await usePasskey(await client.get('/login?return_to=/s/abc'), credential);
    expect([answer.status, answer.location]).toEqual([303, '/s/abc']);
    expect((await client.get('/account')).text).toContain('<bdi>Ann</bdi>');
    client.jar.clear();
    const app = await usePasskey(await client.get('/login?return_to=/oauth/interaction/Ab-1'), credential);
    expect(app.location).toBe('/login?return_to=%2Foauth%2Finteraction%2FAb-1');
    expect((await client.get(app.location ?? '')).text).toContain('url=/oauth/interaction/Ab-1');
  });

  it('is a second step in the place of the code, for the person of the password alone', async () => {
    await turnOnSecondFactor(home, ann);
    const [own, other] = [await createPasskey(ann), await createPasskey(await createUser(home, { name: 'Bob' }))];
    const page = await signIn(ann.user.email, ann.password);
    const refused = await usePasskey(page, other);
    expect([refused.status, client.jar.has(SESSION)]).toEqual([422, false]);
    expect(refused.text).toContain('<h1>Enter your code</h1>');
    expect(refused.text).toContain('This passkey is another person’s.');
    expect((await usePasskey(refused, own)).location).toBe('/account');
  });

  it('asks for the form of this browser, and refuses what is no answer on the page', async () => {
    const credential = await createPasskey(ann);
    const page = await client.get('/login');
    expect((await client.post('/login/passkey', {})).status).toBe(403);
    const fields = hiddenFields(page.text, '/login');
    const options = JSON.parse((await client.post('/login/passkey', fields)).text);
    const stranger = new PageClient(createTestApi(home));
    const theirs = hiddenFields((await stranger.get('/login')).text, '/login');
    const passkey = JSON.stringify(phone.sign(credential, options));
    const stolen = await stranger.post('/login', { ...theirs, passkey });
    expect([stolen.status, stranger.jar.has(SESSION)]).toEqual([422, false]);
    expect(stolen.text).toContain('This took too long, or was done already.');
    for (const nothing of ['', '{', '5', '[]', '{"id":1}']) {
      const answer = await client.post('/login', { ...fields, passkey: nothing });
      expect([nothing, answer.status]).toEqual([nothing, 422]);
      expect(answer.text).toContain('The answer of this passkey is not valid.');
    }
    home.passkeys.remove(ann.caller, home.passkeys.list(ann.caller)[0]?.id ?? '');
    expect((await usePasskey(page, credential)).text).toContain('does not know this passkey');
  });
});
