/**
 * What acts for a person makes nothing that is stronger than itself, and what an app made ends with it (decisions §14).
 * Over real HTTP: apps that were allowed at the consent page, access tokens, and the ways around that they may try.
 */
import type * as oauth from 'oauth4webapi';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUTHORITY } from '../../src/app/access/authority.ts';
import { resourceUrn } from '../../src/app/oauth/resource.ts';
import { hiddenFields } from '../api/html/page-client.ts';
import { createOAuthFixture, type OAuthFixture, type Tokens } from '../support/oauth-fixture.ts';
import { systemCaller } from '../support/test-home.ts';
import { anonymousCaller, createUser } from '../support/test-users.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

let fixture: OAuthFixture;
let homeId: string;
let lampId: string;
let client: oauth.Client;
/** Of an app that may do all that its person may. */
let app: Tokens;

beforeEach(async () => {
  fixture = await createOAuthFixture();
  for (const part of Object.values(fixture.home.automation.startables)) await part.start();
  homeId = fixture.home.home.id;
  lampId = fixture.home.named('Lamp').id;
  fixture.home.userSettings.update(fixture.ann.caller, { developerMode: true });
  client = await fixture.register({ client_name: 'Helper' });
  app = await signInAsAdmin(client);
});
afterEach(async () => {
  const parts = Object.values(fixture.home.automation.startables).reverse();
  for (const part of parts) await part.stop();
  await fixture.close();
});

const signInAsAdmin = (of: oauth.Client): Promise<Tokens> =>
  fixture.signIn(of, { scope: 'mcp:read mcp:write mcp:admin' }, { scope: 'admin' });

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
  readonly body: any;
}

async function ask(token: string | null, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(fixture.origin + path, {
    method,
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
}

const graphql = (token: string, query: string): Promise<Answer> => ask(token, 'POST', '/graphql', { query });
const codeOf = ({ body }: Answer): string => body.errors?.[0]?.extensions.code ?? 'OK';

const newToken = (options: { expiresAt?: string } = {}): Promise<string> =>
  ask(fixture.ann.token, 'POST', '/rest/tokens', { name: 'Script', ...options }).then(({ body }) => body.token);

const inOneHour = (): string => new Date(fixture.home.clock.now() + HOUR_MS).toISOString();

const LAMP_SHARE = { entityType: 'accessory', accessType: 'public', role: 'control' };
async function shareOf(token: string, more: object = {}): Promise<{ id: string; hash: string; status: number }> {
  const { status, body } = await ask(token, 'POST', '/rest/shares', { ...LAMP_SHARE, entityId: lampId, ...more });
  return { status, id: body.id, hash: body.shareHash };
}
const open = async (hash: string): Promise<number> => (await ask(null, 'GET', `/s/${hash}`)).status;

const brokerOf = (token: string): Promise<Answer> =>
  ask(token, 'POST', `/rest/homes/${homeId}/mqtt/brokers`, { name: 'Theirs', host: 'broker.example' });
const brokerNames = (): string[] => fixture.home.brokers.active().map(({ name }) => name);

const WEBHOOK_FLOW = {
  name: 'From outside',
  mode: 'single',
  triggers: [{ id: 't1', type: 'webhook', webhookId: 'a-webhook-of-a-helper-1234567890' }],
  actions: [],
};
const REQUEST_FLOW = {
  name: 'To outside',
  mode: 'single',
  triggers: [],
  actions: [{ id: 'a1', type: 'fire_webhook', url: 'https://example.com/in', method: 'POST' }],
};
const OTHER_WEBHOOK = [{ ...WEBHOOK_FLOW.triggers[0], webhookId: 'another-webhook-of-a-helper-123456' }];
const PLAIN_FLOW = { name: 'Plain', mode: 'single', triggers: [], actions: [] };
async function flowOf(token: string, flow: object): Promise<{ status: number; id: string; webhookId: string }> {
  const { status, body } = await ask(token, 'POST', '/rest/flows', { homeId, ...flow });
  return { status, id: body.id, webhookId: body.triggers?.[0]?.webhookId ?? '' };
}
const fire = async (webhookId: string): Promise<number> =>
  (await ask(null, 'POST', `/webhook/${webhookId}`, {})).status;
const isThere = async (path: string): Promise<boolean> => (await ask(fixture.ann.token, 'GET', path)).status === 200;

/** Sorted: all of it is made at one moment of the test's clock. */
const madeNames = (body: { made: { kind: string; name: string }[] }): string[] =>
  body.made.map(({ kind, name }) => `${kind} ${name}`).sort();

describe('what acts for a person can’t create a member', () => {
  const tokens: Readonly<Record<string, () => Promise<string> | string>> = {
    'an app': () => app.access_token,
    'an access token': () => newToken(),
    'an access token of the command line': () => fixture.home.tokens.create(systemCaller, { name: 'CLI' }).token,
  };
  const members = () => `/rest/homes/${homeId}/members`;

  it.each(Object.keys(tokens))('%s can not make an owner', async (who) => {
    const token = (await tokens[who]?.()) ?? '';
    const { status, body } = await ask(token, 'POST', members(), { email: 'eve@example.org', role: 'owner' });
    expect([status, body.error, JSON.stringify(body)]).toEqual([
      403,
      'insufficient_permissions',
      expect.not.stringContaining('invit'),
    ]);
    expect(fixture.home.members.list(systemCaller, homeId)).toHaveLength(1);
  });

  it.each(Object.keys(tokens))('%s can not invite, change or remove a member', async (who) => {
    const token = (await tokens[who]?.()) ?? '';
    const bob = await createUser(fixture.home, { name: 'Bob', role: 'view' });
    const path = `${members()}/${bob.user.id}`;
    expect((await ask(token, 'POST', members(), { email: 'eve@example.org', role: 'view' })).status).toBe(403);
    expect((await ask(token, 'PATCH', path, { role: 'control' })).status).toBe(403);
    expect((await ask(token, 'DELETE', path)).status).toBe(403);
    for (const mutation of [
      `inviteHomeMember(homeId: "${homeId}", email: "eve@example.org", role: "view") { success }`,
      `updateHomeMemberRole(homeId: "${homeId}", email: "bob@example.org", role: "control") { success }`,
      `updateCommunityUserRole(userId: "${bob.user.id}", role: "owner") { success }`,
      `removeHomeMember(homeId: "${homeId}", memberId: "${bob.user.id}") { success }`,
      `createCommunityUser(name: "eve@example.org", password: "a long password") { id }`,
    ]) {
      expect([mutation, codeOf(await graphql(token, `mutation { ${mutation} }`))]).toEqual([mutation, 'FORBIDDEN']);
    }
    expect(fixture.home.access.roleIn(bob.caller, homeId)).toBe('view');
  });

  it('an app can not add a controller to a paired device', async () => {
    const body = { id: 'guest', publicKey: 'ab'.repeat(32), admin: true };
    const path = '/rest/pairings/10:00:00:00:00:03/controllers';
    expect((await ask(app.access_token, 'POST', path, body)).status).toBe(403);
    expect((await ask(await newToken(), 'POST', path, body)).status).toBe(403);
    expect((await ask(fixture.ann.token, 'POST', path, body)).status).toBe(200);
  });
});

describe('what an app made', () => {
  /** Everything that an app can make and that ends with it. */
  async function makeAll(token: string) {
    const share = await shareOf(token, { name: 'Helpers' });
    const broker = await brokerOf(token);
    const hook = await flowOf(token, WEBHOOK_FLOW);
    const request = await flowOf(token, REQUEST_FLOW);
    const plain = await flowOf(token, PLAIN_FLOW);
    expect([share, broker, hook, request, plain].map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect([await open(share.hash), await fire(hook.webhookId), brokerNames()]).toEqual([200, 202, ['Theirs']]);
    return { share, broker: broker.body, hook, request, plain };
  }

  const MADE = ['flow From outside', 'flow To outside', 'mqtt_broker Theirs', 'share Helpers'];

  async function expectEnded({ share, hook, request, plain }: Awaited<ReturnType<typeof makeAll>>): Promise<void> {
    expect([await open(share.hash), await fire(hook.webhookId), brokerNames()]).toEqual([404, 404, []]);
    expect(await isThere(`/rest/flows/${hook.id}`)).toBe(false);
    expect(await isThere(`/rest/flows/${request.id}`)).toBe(false);
    // It acts in the home alone.
    expect(await isThere(`/rest/flows/${plain.id}`)).toBe(true);
    expect(fixture.home.shares.ofHome(systemCaller, homeId)).toEqual([]);
    expect(fixture.home.brokers.list(systemCaller, homeId)).toEqual([]);
  }

  it('is listed beside the app and ends when its access is removed through GraphQL', async () => {
    const made = await makeAll(app.access_token);
    const listed = await graphql(fixture.ann.token, '{ authorizedApps { clientId made { kind id name homeId } } }');
    const [{ made: things }] = listed.body.data.authorizedApps;
    expect(madeNames({ made: things })).toEqual(MADE);
    expect(things).toContainEqual({ kind: 'share', id: made.share.id, name: 'Helpers', homeId });
    const { body } = await graphql(
      fixture.ann.token,
      `mutation { revokeAuthorizedApp(clientId: "${client.client_id}") { success ended { kind name } } }`,
    );
    expect(body.data.revokeAuthorizedApp.success).toBe(true);
    expect(madeNames({ made: body.data.revokeAuthorizedApp.ended })).toEqual(MADE);
    await expectEnded(made);
  });

  it('ends when the access of the app is removed through REST', async () => {
    const made = await makeAll(app.access_token);
    const path = `/rest/authorized-apps/${client.client_id}`;
    expect((await ask(fixture.ann.token, 'DELETE', path)).body).toMatchObject({
      success: true,
      ended: expect.any(Array),
    });
    await expectEnded(made);
  });

  it('is listed on the account page and ends when the access of the app is removed there', async () => {
    const made = await makeAll(app.access_token);
    const browser = fixture.browserOf();
    const page = await browser.get('/account');
    for (const name of ['Helpers', 'Theirs', 'From outside', 'To outside']) expect(page.text).toContain(name);
    expect(page.text).toContain('These are deleted if you remove its access:');
    const action = `/account/apps/${client.client_id}/end`;
    expect((await browser.post(action, hiddenFields(page.text, action))).status).toBe(303);
    await expectEnded(made);
  });

  it('ends when the person’s account is deleted', async () => {
    const bob = await createUser(fixture.home, { name: 'Bob', role: 'admin' });
    fixture.home.authorizedApps.allow(bob.caller, {
      clientId: client.client_id,
      scope: 'admin',
      homePermissions: null,
      resource: 'api',
    });
    fixture.home.oauthArtifacts.save({ ...artifact('AccessToken', bob.user.id), value: 'a'.repeat(43) });
    fixture.home.oauthArtifacts.save({ ...artifact('Grant', bob.user.id), value: 'bobs grant', payload: {} });
    const made = await makeAll('a'.repeat(43));
    fixture.home.users.delete(systemCaller, bob.user.id);
    await expectEnded(made);
  });

  const artifact = (kind: 'Grant' | 'AccessToken', userId: string) =>
    ({
      kind,
      payload: { aud: resourceUrn('api'), scope: 'mcp:admin' },
      clientId: client.client_id,
      userId,
      grantId: 'bobs grant',
      ttlMs: HOUR_MS,
    }) as const;

  it('ends with the sign-in whose refresh token is used twice', async () => {
    const made = await makeAll(app.access_token);
    const next = await fixture.refresh(client, app.refresh_token);
    await fixture.refresh(client, next.body.refresh_token);
    await fixture.home.clock.advance(60_000);
    expect((await fixture.refresh(client, app.refresh_token)).status).toBe(400);
    expect(await fixture.statusOf(next.body.access_token)).toBe(401);
    await expectEnded(made);
  });

  it('is closed while the app has no sign-in that counts, and opens with the next one', async () => {
    const { share, hook } = await makeAll(app.access_token);
    await fixture.home.clock.advance(31 * DAY_MS);
    expect([await open(share.hash), await fire(hook.webhookId), brokerNames()]).toEqual([404, 404, []]);
    await createSession();
    await signInAsAdmin(client);
    expect([await open(share.hash), await fire(hook.webhookId), brokerNames()]).toEqual([200, 202, ['Theirs']]);
  });

  /** Ann signs in again: sessions end after a week. */
  async function createSession(): Promise<void> {
    const { email } = fixture.ann.user;
    const { token, sessionId } = await fixture.home.users.logIn(anonymousCaller(), {
      email,
      password: fixture.ann.password,
    });
    Object.assign(fixture.ann, { token, pageToken: await fixture.home.sessions.pageToken(sessionId) });
  }

  it('is not revived when the app is authorized again', async () => {
    const made = await makeAll(app.access_token);
    fixture.home.authorizedApps.revoke(fixture.ann.caller, client.client_id);
    await signInAsAdmin(client);
    await expectEnded(made);
  });

  it('counts no more once the person limits the app to other rights', async () => {
    const { share, hook } = await makeAll(app.access_token);
    fixture.home.authorizedApps.update(fixture.ann.caller, client.client_id, { [homeId]: 'control' });
    expect([await open(share.hash), await fire(hook.webhookId), brokerNames()]).toEqual([404, 404, []]);
  });

  it('of a collection counts no more once the person limits the app', async () => {
    const payload = { items: [{ home_id: homeId, accessory_id: lampId }] };
    const { body } = await ask(fixture.ann.token, 'POST', '/rest/collections', { name: 'Lights', payload });
    const { id } = body;
    const share = await shareOf(app.access_token, { entityType: 'collection', entityId: id });
    expect(await open(share.hash)).toBe(200);
    fixture.home.authorizedApps.update(fixture.ann.caller, client.client_id, { [homeId]: 'control' });
    expect(await open(share.hash)).toBe(404);
  });

  it('counts no more once its person is no admin of the home', async () => {
    const bob = await createUser(fixture.home, { name: 'Bob', role: 'owner' });
    const { share, hook } = await makeAll(app.access_token);
    fixture.home.members.setRole(bob.caller, { homeId, memberId: fixture.ann.user.id, role: 'control' });
    expect([await open(share.hash), await fire(hook.webhookId), brokerNames()]).toEqual([404, 404, []]);
  });

  it('stays of what people made: shutting an app out ends nothing else', async () => {
    const share = await shareOf(fixture.ann.token);
    const hook = await flowOf(fixture.ann.token, WEBHOOK_FLOW);
    await brokerOf(fixture.ann.token);
    fixture.home.authorizedApps.revoke(fixture.ann.caller, client.client_id);
    expect([await open(share.hash), await fire(hook.webhookId), brokerNames()]).toEqual([200, 202, ['Theirs']]);
  });
});

describe('an app changes nothing that goes on without it', () => {
  it('a share, a broker or a flow that reaches out, unless it made them', async () => {
    const share = await shareOf(fixture.ann.token, { role: 'view' });
    const broker = (await brokerOf(fixture.ann.token)).body;
    const hook = await flowOf(fixture.ann.token, WEBHOOK_FLOW);
    const plain = await flowOf(fixture.ann.token, PLAIN_FLOW);
    const brokerPath = `/rest/homes/${homeId}/mqtt/brokers/${broker.id}`;
    const tries: readonly (readonly [string, string, object])[] = [
      ['PATCH', `/rest/shares/${share.id}`, { role: 'control' }],
      ['PATCH', brokerPath, { host: 'elsewhere.example' }],
      ['PUT', `/rest/flows/${hook.id}`, REQUEST_FLOW],
      ['PUT', `/rest/flows/${plain.id}`, { ...PLAIN_FLOW, triggers: OTHER_WEBHOOK }],
      ['PUT', `/rest/flows/${plain.id}`, { ...PLAIN_FLOW, actions: REQUEST_FLOW.actions }],
    ];
    for (const [method, path, body] of tries) {
      expect([path, (await ask(app.access_token, method, path, body)).status]).toEqual([path, 403]);
    }
    expect((await ask(app.access_token, 'PATCH', `/rest/flows/${plain.id}`, { name: 'Quiet' })).status).toBe(200);
    const own = await flowOf(app.access_token, { ...REQUEST_FLOW, name: 'Own' });
    expect((await ask(app.access_token, 'PATCH', `/rest/flows/${own.id}`, { name: 'Still own' })).status).toBe(200);
    // Taking away is open to it.
    expect((await ask(app.access_token, 'DELETE', `/rest/shares/${share.id}`)).status).toBe(200);
    expect((await ask(app.access_token, 'DELETE', brokerPath)).status).toBe(200);
  });

  it('an app sees no webhook id and no credentials of flows that it did not make', async () => {
    const headers = { Authorization: 'Bearer a-secret-of-a-person' };
    const flow = { ...WEBHOOK_FLOW, actions: [{ ...REQUEST_FLOW.actions[0], headers }] };
    const hook = await flowOf(fixture.ann.token, flow);
    for (const path of [`/rest/flows/${hook.id}`, `/rest/flows/${hook.id}/export`, '/rest/flows']) {
      const { body } = await ask(app.access_token, 'GET', path);
      expect(JSON.stringify(body)).not.toMatch(/a-secret-of-a-person/);
      expect(JSON.stringify(body)).not.toContain(hook.webhookId);
    }
    const simulated = await ask(app.access_token, 'POST', `/rest/flows/${hook.id}/simulate`, {});
    expect(JSON.stringify(simulated.body)).not.toMatch(/a-secret-of-a-person/);
    expect((await ask(fixture.ann.token, 'GET', `/rest/flows/${hook.id}`)).body.triggers[0].webhookId).toBe(
      hook.webhookId,
    );
  });

  it('an app that renamed a flow does not see or change the secrets that a person adds later', async () => {
    const flow = await flowOf(fixture.ann.token, PLAIN_FLOW);
    const path = `/rest/flows/${flow.id}`;
    expect((await ask(app.access_token, 'PATCH', path, { name: 'Renamed' })).status).toBe(200);
    const headers = { Authorization: 'Bearer a-secret-of-a-person' };
    const changed = { ...WEBHOOK_FLOW, actions: [{ ...REQUEST_FLOW.actions[0], headers }] };
    expect((await ask(fixture.ann.token, 'PUT', path, changed)).status).toBe(200);
    for (const shown of [path, `${path}/versions`, `${path}/export`]) {
      const { body } = await ask(app.access_token, 'GET', shown);
      expect(JSON.stringify(body)).not.toMatch(/a-secret-of-a-person|a-webhook-of-a-helper/);
    }
    expect((await ask(app.access_token, 'PUT', path, { ...changed, name: 'Taken over' })).status).toBe(403);
    fixture.home.authorizedApps.revoke(fixture.ann.caller, client.client_id);
    expect([await isThere(path), await fire(WEBHOOK_FLOW.triggers[0]?.webhookId ?? '')]).toEqual([true, 202]);
  });

  it('an app makes no access token and no webhook', async () => {
    const webhook = { name: 'Hook', url: 'https://example.com/hook' };
    expect((await ask(app.access_token, 'POST', '/rest/tokens', { name: 'Mine' })).status).toBe(403);
    expect((await ask(app.access_token, 'POST', '/rest/webhooks', webhook)).status).toBe(403);
  });
});

describe('what an access token made', () => {
  async function makeAll(token: string) {
    const share = await shareOf(token, { name: 'Guests' });
    const hook = await flowOf(token, WEBHOOK_FLOW);
    await brokerOf(token);
    const webhook = await ask(token, 'POST', '/rest/webhooks', { name: 'Hook', url: 'https://example.com/hook' });
    const second = await ask(token, 'POST', '/rest/tokens', { name: 'Second' });
    const third = await ask(second.body.token, 'POST', '/rest/tokens', { name: 'Third' });
    const thirdShare = await shareOf(third.body.token, { role: 'view', name: 'Of the third' });
    expect([webhook, second, third].map(({ status }) => status)).toEqual([200, 200, 200]);
    return {
      share,
      hook,
      webhook: webhook.body.webhook,
      second: second.body.token,
      third: third.body.token,
      thirdShare,
    };
  }
  const MADE = ['access_token Second', 'flow From outside', 'mqtt_broker Theirs', 'share Guests', 'webhook Hook'];
  const idOf = (token: string): string =>
    fixture.home.tokens.list(systemCaller).find(({ tokenPrefix }) => token.startsWith(tokenPrefix))?.id ?? '';

  it('is listed when the token is revoked, and goes on', async () => {
    const token = await newToken();
    const made = await makeAll(token);
    const listed = await graphql(fixture.ann.token, '{ accessTokens { name made { kind name } } }');
    expect(madeNames(listed.body.data.accessTokens[0])).toEqual(MADE);
    const { body } = await graphql(
      fixture.ann.token,
      `mutation { revokeAccessToken(tokenId: "${idOf(token)}") { success hasEndedWhatItMade made { kind name } } }`,
    );
    expect(body.data.revokeAccessToken).toMatchObject({ success: true, hasEndedWhatItMade: false });
    expect(madeNames(body.data.revokeAccessToken)).toEqual(MADE);
    expect([await open(made.share.hash), await fire(made.hook.webhookId), brokerNames()]).toEqual([
      200,
      202,
      ['Theirs'],
    ]);
    expect(await fixture.statusOf(made.second)).toBe(200);
  });

  it.each(['at once', 'later'])('ends in the same act where that is wanted, %s', async (when) => {
    const token = await newToken();
    const made = await makeAll(token);
    const path = `/rest/tokens/${idOf(token)}`;
    if (when === 'later') await ask(fixture.ann.token, 'DELETE', path);
    const { body } = await ask(fixture.ann.token, 'DELETE', `${path}?endWhatItMade=true`);
    expect(body).toMatchObject({ success: true, hasEndedWhatItMade: true });
    expect(madeNames(body)).toEqual(MADE);
    expect([await open(made.share.hash), await fire(made.hook.webhookId), brokerNames()]).toEqual([404, 404, []]);
    expect([await fixture.statusOf(made.second), await fixture.statusOf(made.third)]).toEqual([401, 401]);
    expect(fixture.home.shares.ofHome(systemCaller, homeId)).toEqual([]);
    expect(fixture.home.webhooks.list(systemCaller)).toEqual([]);
  });

  it('does not outlive a token that expires', async () => {
    const token = await newToken({ expiresAt: inOneHour() });
    const made = await makeAll(token);
    await fixture.home.clock.advance(HOUR_MS);
    expect([await open(made.share.hash), await fire(made.hook.webhookId), brokerNames()]).toEqual([404, 404, []]);
    expect([await fixture.statusOf(made.second), await fixture.statusOf(made.third)]).toEqual([401, 401]);
    await fixture.home.clock.advance(60_000);
    expect(fixture.home.shares.ofHome(systemCaller, homeId)).toEqual([]);
    expect(fixture.home.webhooks.list(systemCaller)).toEqual([]);
  });

  it('a token that expires changes nothing of what others made, and one that does not is listed for what it changed', async () => {
    const share = await shareOf(fixture.ann.token, { role: 'view', name: 'Ann’s' });
    const path = `/rest/shares/${share.id}`;
    const limited = await newToken({ expiresAt: inOneHour() });
    expect((await ask(limited, 'PATCH', path, { role: 'control' })).status).toBe(403);
    const token = await newToken();
    expect((await ask(token, 'PATCH', path, { role: 'control' })).status).toBe(200);
    const { body } = await ask(fixture.ann.token, 'DELETE', `/rest/tokens/${idOf(token)}`);
    expect(madeNames(body)).toEqual(['share Ann’s']);
    expect(await open(share.hash)).toBe(200);
  });
});

describe('the table of who makes what', () => {
  it('lets what ends with its maker be made by callers that can end', () => {
    for (const [thing, { makers, afterwards }] of Object.entries(AUTHORITY)) {
      const kinds: readonly string[] = makers;
      expect([thing, kinds.filter((kind) => /anonymous|share_link|automation|mqtt_broker/.test(kind))]).toEqual([
        thing,
        [],
      ]);
      if (afterwards === 'ends') expect([thing, kinds]).toEqual([thing, expect.arrayContaining(['access_token'])]);
    }
  });
});

describe('reading and taking away', () => {
  const APPS = '{ authorizedApps { clientId } me { email } }';

  it('is open to apps with mcp:admin and to access tokens without home limits', async () => {
    for (const token of [app.access_token, await newToken()]) {
      const { body } = await graphql(token, APPS);
      expect(body.data).toEqual({
        authorizedApps: [{ clientId: client.client_id }],
        me: { email: fixture.ann.user.email },
      });
    }
    const other = await fixture.register({ client_name: 'Other' });
    const others = await signInAsAdmin(other);
    const revoke = `mutation { revokeAuthorizedApp(clientId: "${other.client_id}") { success } }`;
    expect((await graphql(app.access_token, revoke)).body.data.revokeAuthorizedApp.success).toBe(true);
    expect(await fixture.statusOf(others.access_token)).toBe(401);
    const token = fixture.home.tokens.create(systemCaller, { name: 'CLI' }).token;
    expect((await graphql(token, APPS)).body.data.me).toEqual({ email: fixture.ann.user.email });
  });

  it('is closed to weaker apps and to tokens of single homes', async () => {
    const limited = await ask(fixture.ann.token, 'POST', '/rest/tokens', {
      name: 'One home',
      homePermissions: { [homeId]: 'control' },
    });
    const writer = await fixture.register({ client_name: 'Writer' });
    const { access_token: writing } = await fixture.signIn(writer, {}, { scope: 'write' });
    for (const token of [limited.body.token, writing]) {
      expect(codeOf(await graphql(token, '{ authorizedApps { clientId } }'))).toBe('FORBIDDEN');
      const revoke = `mutation { revokeAuthorizedApp(clientId: "${client.client_id}") { success } }`;
      expect(codeOf(await graphql(token, revoke))).toBe('FORBIDDEN');
    }
    expect(await fixture.statusOf(app.access_token)).toBe(200);
  });

  it('lets no app change what an app may do', async () => {
    const widen = `mutation { updateAuthorizedApp(clientId: "${client.client_id}") { success } }`;
    for (const token of [app.access_token, await newToken()]) {
      expect(codeOf(await graphql(token, widen))).toBe('FORBIDDEN');
    }
  });
});
