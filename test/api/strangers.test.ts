/** How often an address may ask without valid credentials, over real connections. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src/api/server.ts';
import { STRANGERS_PER_ADDRESS } from '../../src/api/strangers.ts';
import { createTestApi, createToken } from '../support/rest-client.ts';
import { serveApi } from '../support/served-api.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let server: HttpServer;
let directory: TempDirectory;

beforeEach(async () => {
  home = createTestHome({ sample: true });
  directory = createTempDirectory('strangers');
  server = await serveApi(createTestApi(home), { socketPath: directory.file('hearthd.sock') });
});
afterEach(async () => {
  await server.stop();
  directory.remove();
  home.close();
});

interface Question {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The peer's address. */
  readonly from?: string;
  readonly socketPath?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function ask({ body, from = '127.0.0.1', socketPath, ...question }: Question): Promise<Answer> {
  const where = socketPath ? { socketPath } : { host: '127.0.0.1', port: server.port, localAddress: from };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ ...where, ...question, agent: false }, (response) => {
      const { statusCode: status = 0, headers } = response;
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status, headers, body: text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

const JSON_BODY = { 'Content-Type': 'application/json' };
const graphql = (query: string): Question => ({
  method: 'POST',
  path: '/graphql',
  headers: JSON_BODY,
  body: JSON.stringify({ query }),
});
const WEB_SOCKET = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};
const WRONG = { Authorization: 'Bearer hc_0123456789012345678901234567890123456789' };

async function exhaust(question: Question): Promise<void> {
  for (let n = 0; n < STRANGERS_PER_ADDRESS.burst; n += 1) await ask(question);
}

describe('an address that asks without valid credentials', () => {
  it('a stranger over the allowance gets 429 with Retry-After before the document is parsed', async () => {
    // To a document that can't be parsed a stranger gets 401.
    expect((await ask(graphql('{{{'))).status).toBe(401);
    await exhaust({ path: '/rest/state' });
    const refused = await ask(graphql('{{{'));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(refused.headers.connection).toBe('close');
    expect(refused.body).toContain('Too many requests without signing in. Wait a moment and try again.');
  });

  it.each<[string, Question]>([
    ['GraphQL', graphql('{ health }')],
    ['the sign-in page', { path: '/login' }],
    ['an app’s registration', { method: 'POST', path: '/oauth/register', headers: JSON_BODY, body: '{}' }],
    ['an app’s authorization', { path: '/oauth/authorize' }],
    ['the sign-in page with a wrong token', { path: '/login', headers: WRONG }],
    ['the account page with a wrong token', { path: '/account', headers: WRONG }],
    ['an invitation with a wrong token', { path: '/invite/nothing', headers: WRONG }],
    [
      'an app’s registration with a wrong token',
      { method: 'POST', path: '/oauth/register', headers: { ...JSON_BODY, ...WRONG }, body: '{}' },
    ],
    ['an app’s token with a wrong token', { method: 'POST', path: '/oauth/token', headers: WRONG, body: 'x' }],
    ['an app’s authorization with a wrong token', { path: '/oauth/authorize', headers: WRONG }],
    ['what an app may read first with a wrong token', { path: '/.well-known/openid-configuration', headers: WRONG }],
    ['a share link', { path: '/s/nothing' }],
    ['a share link with a wrong token', { path: '/s/nothing', headers: WRONG }],
    ['REST without a token', { path: '/rest/state' }],
    ['REST with a wrong token', { path: '/rest/state', headers: WRONG }],
    ['MCP', { method: 'POST', path: '/mcp', headers: JSON_BODY, body: '{}' }],
    ['events with a wrong token', { path: '/events', headers: WRONG }],
    [
      'OwnTracks with a wrong password',
      { method: 'POST', path: '/owntracks', headers: { Authorization: 'Basic eDp5' } },
    ],
    ['a WebSocket', { path: '/ws', headers: WEB_SOCKET }],
    ['a WebSocket with a wrong token', { path: '/ws?token=hc_wrong', headers: WEB_SOCKET }],
    ['an unknown path', { path: '/nothing' }],
  ])('%s is refused over the allowance', async (_, question) => {
    await exhaust({ path: '/rest/state' });
    const { status, headers } = await ask(question);
    expect([status, Number(headers['retry-after']) >= 1]).toEqual([429, true]);
  });

  it('wrong tokens are counted as well', async () => {
    await exhaust({ path: '/rest/state', headers: WRONG });
    expect((await ask({ path: '/login' })).status).toBe(429);
  });

  it('signed-in clients of the address, other addresses, the Unix socket, files and health are not affected', async () => {
    await exhaust({ path: '/rest/state' });
    const signedIn = { Authorization: `Bearer ${createToken(home)}` };
    expect((await ask({ path: '/rest/state', headers: signedIn })).status).toBe(200);
    expect((await ask({ ...graphql('{ homes { id } }'), headers: { ...JSON_BODY, ...signedIn } })).status).toBe(200);
    expect((await ask({ ...graphql('{ health }'), from: '127.0.0.2' })).status).toBe(200);
    expect((await ask({ path: '/rest/homes', socketPath: directory.file('hearthd.sock') })).status).toBe(200);
    expect((await ask({ path: '/health' })).status).toBe(200);
    expect((await ask({ path: '/openapi.json' })).status).toBe(200);
  });

  it('the allowance fills up again', async () => {
    await exhaust({ path: '/rest/state' });
    await home.clock.advance(1_000);
    expect((await ask(graphql('{ health }'))).status).toBe(200);
  });

  it('people who open a page over the allowance read why on a page', async () => {
    await exhaust({ path: '/rest/state' });
    const { status, headers } = await ask({ path: '/login', headers: { Accept: 'text/html' } });
    expect([status, headers['content-type']]).toEqual([429, expect.stringContaining('text/html')]);
  });
});
