import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { createUser, type TestUser } from '../../support/test-users.ts';
import { PageClient } from './page-client.ts';

const PASSWORD = 'correct horse battery';

let home: TestHome;
let ann: TestUser;
let client: PageClient;

beforeEach(async () => {
  home = createTestHome();
  ann = await createUser(home, { name: 'Ann', founder: true });
  client = new PageClient(createTestApi(home));
});

afterEach(() => home.close());

/** The link that Ann hands over. */
function invite(email: string, role = 'control'): string {
  const { invitation } = home.members.invite(ann.caller, { homeId: home.home.id, email, role });
  return `/invite/${invitation?.code}`;
}

describe('an invitation’s link', () => {
  it('shows who invites into which home, and as what', async () => {
    const { status, text } = await client.get(invite('bob@example.org', 'view'));
    expect(status).toBe(200);
    expect(text).toContain('Join <bdi>My Home</bdi>');
    expect(text).toContain('invited by <bdi>Ann</bdi>');
    expect(text).toContain('You can see the state of everything.');
    expect(text).toContain('<bdi class="address">bob@example.org</bdi>');
    expect(text).toMatch(/<input type="text" name="email" value="bob@example.org"[^>]*hidden/);
  });

  it('makes an account with the invited address, regardless of the form, and signs in', async () => {
    const link = invite('bob@example.org');
    const fields = { email: 'mallory@example.org', name: 'Bob', password: PASSWORD };
    const answer = await client.submit(await client.get(link), link, fields);
    expect([answer.status, answer.location]).toEqual([303, '/account?done=joined']);
    const account = await client.get('/account?done=joined');
    expect(account.text).toContain('You joined the home.');
    expect(account.text).toMatch(/href="\/"[^>]*>\s*Open the home/);
    expect(account.text).toContain('<bdi>bob@example.org</bdi>');
    const known = home.users.list(systemCaller).map(({ email }) => email);
    expect(known.toSorted()).toEqual(['ann@example.org', 'bob@example.org']);
  });

  it('is good for one: used, withdrawn, unknown and too old are one and the same page', async () => {
    const link = invite('bob@example.org');
    const page = await client.get(link);
    await client.submit(page, link, { name: 'Bob', password: PASSWORD });
    const late = new PageClient(createTestApi(home));
    const used = await late.get(link);
    expect(used.status).toBe(404);
    expect(used.text).toContain('<h1>Invitation not valid</h1>');
    expect(used.text).toContain('The invitation has expired, was used already or was withdrawn.');

    const withdrawn = invite('eve@example.org');
    const [pending] = home.members.list(ann.caller, home.home.id).filter(({ isPending }) => isPending);
    home.members.remove(ann.caller, { homeId: home.home.id, memberId: pending?.id ?? '' });
    const old = invite('dan@example.org');
    await home.clock.advance(8 * 24 * 3_600_000);
    const withoutId = (text: string): string => text.replaceAll(/[0-9a-f-]{36}/g, '');
    for (const gone of [withdrawn, '/invite/AAAAAAAAAAAAAAAAAAAAAA', '/invite/x', '/invite/%00', old]) {
      const answer = await late.get(gone);
      expect([answer.status, withoutId(answer.text)]).toEqual([404, withoutId(used.text)]);
    }
  });

  it('shows beside the field what is wrong, and stays valid', async () => {
    const link = invite('bob@example.org');
    const weak = await client.submit(await client.get(link), link, { name: 'Bob', password: 'short' });
    expect(weak.status).toBe(422);
    expect(weak.text).toContain('id="password-problem"');
    expect(weak.text).toMatch(/<input id="name"[^>]*value="Bob"/);
    expect((await client.submit(weak, link, { name: 'Bob', password: PASSWORD })).status).toBe(303);
  });

  it('adds the signed-in user as the invited person', async () => {
    const link = invite('bob@example.org', 'view');
    const bob = await createUser(home, { name: 'Bob' });
    expect(bob.user.email).toBe('bob@example.org');
    client.jar.set('hearthd_session', bob.pageToken);
    const page = await client.get(link);
    expect(page.text).not.toContain('type="password"');
    const answer = await client.submit(page, `${link}/accept`);
    expect([answer.status, answer.location]).toEqual([303, '/account?done=joined']);
    expect(home.access.roleIn(bob.caller, home.home.id)).toBe('view');
    expect((await client.get(link)).status).toBe(404);
  });

  it('shows another user whom it is for, and adds no one', async () => {
    const link = invite('bob@example.org');
    const eve = await createUser(home, { name: 'Eve' });
    client.jar.set('hearthd_session', eve.pageToken);
    const page = await client.get(link);
    expect(page.text).toContain('The invitation is for <bdi>bob@example.org</bdi>');
    expect(page.text).not.toContain('/accept');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect((await client.post(`${link}/accept`, { csrf })).status).toBe(401);
    expect(home.access.roleIn(eve.caller, home.home.id)).toBeUndefined();
    // Signing out leads back here.
    expect((await client.submit(page, '/logout')).location).toBe(link);
  });

  it('can’t be accepted without the form’s token', async () => {
    const link = invite('bob@example.org');
    await client.get(link);
    expect((await client.post(link, { name: 'Bob', password: PASSWORD })).status).toBe(403);
    expect((await client.post(`${link}/accept`, {})).status).toBe(403);
  });
});
