/**
 * What an app that a stranger registers can make the relay do to others (security checklist, rows 23 and 24): ask for
 * nothing at the addresses that it names, and pass no token on. What OAuth refuses is proved beside it, in `api/oauth`.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpAnswer, HttpRequest, HttpSender } from '../../src/home/http-sender.ts';
import { createMcpClient } from '../support/mcp-client.ts';
import { createOAuthFixture, type OAuthFixture, WEB_REDIRECT } from '../support/oauth-fixture.ts';
import { createTestApi } from '../support/rest-client.ts';

const SECOND_MS = 1_000;

/** What automations send, without a receiver. */
class Recorder implements HttpSender {
  readonly sent: HttpRequest[] = [];

  async send(request: HttpRequest): Promise<HttpAnswer> {
    this.sent.push(request);
    return { status: 200, statusText: 'OK', headers: {}, body: '' };
  }
}

let fixture: OAuthFixture;
let recorder: Recorder;
/** A user whom the app would like to have asked. */
let victim: Server;
let asked: string[];

beforeEach(async () => {
  recorder = new Recorder();
  fixture = await createOAuthFixture({ http: recorder });
  asked = [];
  victim = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => victim.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await fixture.close();
  victim.closeAllConnections();
  await new Promise((resolve) => victim.close(resolve));
});

const at = (path: string): string => `http://127.0.0.1:${(victim.address() as AddressInfo).port}${path}`;

describe('an app', () => {
  it('has nothing fetched, for all addresses that it registers and asks for (row 23)', async () => {
    const metadata = {
      redirect_uris: [WEB_REDIRECT, at('/callback')],
      client_uri: at('/home'),
      logo_uri: at('/logo.png'),
      policy_uri: at('/policy'),
      tos_uri: at('/terms'),
      jwks_uri: at('/jwks'),
      sector_identifier_uri: at('/sector'),
      initiate_login_uri: at('/login'),
      request_uris: [at('/request')],
      backchannel_logout_uri: at('/logout'),
      software_statement: 'a.b.c',
      token_endpoint_auth_method: 'none',
    };
    const registered = await fixture.registerOverHttp(metadata);
    const client = (registered.status === 201 ? await registered.json() : {}) as { readonly client_id?: string };
    for (const method of ['private_key_jwt', 'client_secret_jwt', 'tls_client_auth'])
      await fixture.registerOverHttp({ ...metadata, token_endpoint_auth_method: method });
    const known = { client_id: client.client_id ?? String((await fixture.register()).client_id) };
    for (const changes of [{}, { request_uri: at('/request') }, { request: 'a.b.c' }, { resource: at('/mcp') }]) {
      const browser = fixture.browserOf();
      await fixture.follow(browser, await browser.get((await fixture.begin(known, changes)).path));
    }
    // A document at an address in the place of a registration.
    const { path } = await fixture.begin({ client_id: at('/client.json') });
    expect((await fixture.browserOf().get(path)).status).toBe(400);
    const tokens = await fixture.signIn(known);
    await fixture.refresh(known, tokens.refresh_token, { client_assertion: 'a.b.c', client_assertion_type: at('/x') });
    expect(await fixture.statusOf(tokens.access_token)).toBe(200);
    expect(asked).toEqual([]);
    // They would have been seen.
    await fetch(at('/seen'));
    expect(asked).toEqual(['GET /seen']);
  });

  it('has its token passed on to no server (row 24)', async () => {
    const { home } = fixture;
    for (const part of Object.values(home.automation.startables)) void part.start();
    const { access_token: token } = await fixture.signIn(await fixture.register());
    const bearer = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const actions = [
      { id: 'a', type: 'http_request', url: 'https://hook.example/x', method: 'POST', body: '{{ trigger }}' },
    ];
    const flow = home.flows.save(fixture.ann.caller, {
      homeId: home.home.id,
      data: { name: 'Tell', triggers: [{ id: 't', type: 'webhook' }], actions },
    });
    const run = await fixture.post(`/rest/flows/${flow.id}/run`, '{}', bearer);
    expect(run.status).toBe(200);
    await home.clock.advance(SECOND_MS);
    expect(recorder.sent).toHaveLength(1);
    expect(JSON.stringify(recorder.sent)).not.toContain(token);
    for (const part of Object.values(home.automation.startables).reverse()) {
      const stopped = part.stop();
      if (stopped instanceof Promise) await Promise.race([stopped, home.clock.advance(3 * SECOND_MS)]);
    }
  });

  it('gets no other audience’s token taken for its own: MCP’s opens MCP, and no other opens anything (row 24)', async () => {
    const client = await fixture.register();
    const { access_token: mcp } = await fixture.signIn(client, { resource: `${fixture.origin}/mcp` });
    const api = createTestApi(fixture.home);
    expect((await createMcpClient(api, mcp).rpc('ping')).result).toEqual({});
    for (const path of ['/rest/homes', '/rest/state', '/rest/me']) expect(await fixture.statusOf(mcp, path)).toBe(401);
    const query = await fixture.post('/graphql', '{"query":"{ homes { id } }"}', {
      Authorization: `Bearer ${mcp}`,
      'Content-Type': 'application/json',
    });
    expect(query.status).toBe(401);
    for (const resource of [
      'https://other.example/mcp',
      `${fixture.origin}/other`,
      'urn:other',
      `${fixture.origin}.evil.example/mcp`,
    ]) {
      const { path } = await fixture.begin(client, { resource });
      const browser = fixture.browserOf();
      const answer = await fixture.follow(browser, await browser.get(path));
      expect([resource, new URL(answer.location ?? 'about:blank').searchParams.get('error')]).toEqual([
        resource,
        'invalid_target',
      ]);
    }
  });
});
