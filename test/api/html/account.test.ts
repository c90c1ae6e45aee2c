import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi } from '../../support/rest-client.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';
import { PageClient } from './page-client.ts';

const SESSION = 'hearthd_session';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1';
const NEW_PASSWORD = 'another horse entirely';

let home: TestHome;
let ann: TestUser;
let client: PageClient;

beforeEach(async () => {
  home = createTestHome({ passwordHasher: new CountingHasher() });
  ann = await createUser(home, { name: 'Ann', founder: true });
  client = new PageClient(createTestApi(home));
  client.jar.set(SESSION, ann.pageToken);
});

afterEach(() => home.close());

/** Somewhere else that Ann is signed in. */
function signInElsewhere(device = PHONE) {
  return home.users.logIn(anonymousCaller('192.0.2.7'), { email: ann.user.email, password: ann.password, device });
}

describe('the account page', () => {
  it('is for signed-in users: others sign in first and come back', async () => {
    const stranger = new PageClient(createTestApi(home));
    expect((await stranger.get('/account')).location).toBe('/login?return_to=%2Faccount');
    const csrf = /name="csrf" value="([^"]+)"/.exec((await stranger.get('/login')).text)?.[1] ?? '';
    for (const path of ['/account/password', '/account/sessions/end-others', '/account/apps/x/end']) {
      const answer = await stranger.post(path, { csrf });
      expect([path, answer.status, answer.location]).toEqual([path, 303, '/login?return_to=%2Faccount']);
    }
  });

  it.each([
    '/account/password',
    '/account/sessions/end-others',
    '/account/sessions/x/end',
    '/account/apps/x/end',
    '/account/invitations/x/accept',
    '/account/invitations/x/decline',
  ])('takes no form without its token: %s', async (path) => {
    await client.get('/account');
    expect((await client.post(path, { csrf: 'made up' })).status).toBe(403);
    expect((await client.get(path)).status).toBe(401);
  });

  it('lists where a user is signed in, and marks the current session', async () => {
    await signInElsewhere();
    const { text } = await client.get('/account');
    expect(text).toContain('Safari on iPhone');
    expect(text).toContain('192.0.2.7');
    expect(text.match(/This device/g)).toHaveLength(1);
  });

  it('shows a device that calls itself anything as text', async () => {
    await signInElsewhere('<img src=x onerror=alert(1)>\u202eevil');
    const { text } = await client.get('/account');
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;evil');
    expect(text).not.toContain('<img');
  });

  it('ends another session at once', async () => {
    const { token } = await signInElsewhere();
    const page = await client.get('/account');
    const path = /action="(\/account\/sessions\/[^"]+\/end)"/.exec(page.text)?.[1] ?? '';
    expect((await client.submit(page, path)).location).toBe('/account?done=session');
    await expect(home.sessions.authenticate(token)).rejects.toMatchObject({ code: 'invalid_token' });
    expect((await client.get('/account?done=session')).text).toContain('Session signed out.');
  });

  it('ends all others together, and this one stays', async () => {
    const others = [await signInElsewhere(), await signInElsewhere()];
    const answer = await client.submit(await client.get('/account'), '/account/sessions/end-others');
    expect(answer.location).toBe('/account?done=sessions');
    for (const { token } of others) {
      await expect(home.sessions.authenticate(token)).rejects.toMatchObject({ code: 'invalid_token' });
    }
    expect((await client.get('/account')).status).toBe(200);
  });

  it('ends no session of another user', async () => {
    const bob = await createUser(home, { name: 'Bob' });
    const [session] = home.sessions.list(bob.caller);
    await signInElsewhere();
    const csrf = /name="csrf" value="([^"]+)"/.exec((await client.get('/account')).text)?.[1] ?? '';
    expect((await client.post(`/account/sessions/${session?.id}/end`, { csrf })).status).toBe(404);
    await expect(home.sessions.authenticate(bob.token)).resolves.toMatchObject({ userId: bob.user.id });
  });

  it('changes the password, ends every session, and this browser has a new one', async () => {
    const { token } = await signInElsewhere();
    const fields = { currentPassword: ann.password, newPassword: NEW_PASSWORD };
    const answer = await client.submit(await client.get('/account'), '/account/password', fields);
    expect(answer.location).toBe('/account?done=password');
    for (const old of [token, ann.token]) {
      await expect(home.sessions.authenticate(old)).rejects.toMatchObject({ code: 'invalid_token' });
    }
    expect((await client.get('/account?done=password')).text).toContain('Password changed.');
  });

  it('reports which of the two passwords was wrong, and shows neither', async () => {
    const wrong = { currentPassword: 'not the one', newPassword: NEW_PASSWORD };
    const page = await client.submit(await client.get('/account'), '/account/password', wrong);
    expect(page.status).toBe(422);
    expect(page.text).toContain('id="currentPassword-problem"');
    expect(page.text).not.toMatch(/not the one|another horse/);
    const weak = await client.submit(page, '/account/password', {
      currentPassword: ann.password,
      newPassword: 'short',
    });
    expect(weak.status).toBe(422);
    expect(weak.text).toContain('id="newPassword-problem"');
  });

  it.each(['accept', 'decline'])('lets a user %s an invitation that waits for them', async (verb) => {
    const bob = await createUser(home, { name: 'Bob' });
    home.members.invite(ann.caller, { homeId: home.home.id, email: bob.user.email, role: 'control' });
    client.jar.set(SESSION, bob.pageToken);
    const page = await client.get('/account');
    expect(page.text).toContain('<bdi>Ann</bdi> invited you to');
    const path = `/account/invitations/${home.home.id}/${verb}`;
    expect((await client.submit(page, path)).location).toBe(
      `/account?done=${verb === 'accept' ? 'joined' : 'declined'}`,
    );
    expect(home.access.roleIn(bob.caller, home.home.id)).toBe(verb === 'accept' ? 'control' : undefined);
    expect((await client.get('/account')).text).not.toContain('invited to');
  });

  it('shows nothing that only stands in its address', async () => {
    const { text } = await client.get('/account?done=Your+house+burns');
    expect(text).not.toContain('burns');
    expect(text).not.toContain('role="status"');
  });
});
