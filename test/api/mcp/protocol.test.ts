import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMcpClient, type McpClient } from '../../support/mcp-client.ts';
import { createTestApi, createToken } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';

let home: TestHome;
let app: ReturnType<typeof createTestApi>;
let mcp: McpClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  app = createTestApi(home);
  mcp = createMcpClient(app, createToken(home));
});
afterEach(() => home.close());

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('Plain JSON-RPC over POST /mcp', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'agrees on %s with a client that asks for it',
    async (protocolVersion) => {
      const clientInfo = { name: 'test', version: '1' };
      const { result } = await mcp.rpc('initialize', { protocolVersion, capabilities: {}, clientInfo });
      expect(result).toMatchObject({ protocolVersion, serverInfo: { name: 'hearthd', version: '0.0.0-test' } });
      expect(result.capabilities).toEqual({
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: false },
        completions: {},
      });
      expect(result.instructions).toContain('get_state');
    },
  );

  it('answers an unknown version with the newest that it knows', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const { result } = await mcp.rpc('initialize', { protocolVersion: '1999-01-01', capabilities: {}, clientInfo });
    expect(result.protocolVersion).toBe('2025-11-25');
  });

  it('takes the notification that ends the handshake with 202 and no body', async () => {
    const response = await mcp.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  it('answers ping with an empty result', async () => {
    expect(await mcp.rpc('ping')).toMatchObject({ result: {} });
  });

  it('answers a batch with a batch', async () => {
    const response = await mcp.post([ping, { ...ping, id: 2 }]);
    expect(await response.json()).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  it('takes no batch that is longer than any client’s', async () => {
    expect((await mcp.post(Array(16).fill(ping))).status).toBe(200);
    expect((await mcp.post(Array(17).fill(ping))).status).toBe(400);
  });

  it('answers callers of no type, any type or JSON alone with one JSON text', async () => {
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/event-stream']) {
      const response = await mcp.post(ping, accept === undefined ? {} : { Accept: accept });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    }
  });

  it('keeps no sessions: it gives out no id, and takes any', async () => {
    const response = await mcp.post(ping, { 'Mcp-Session-Id': 'of-long-ago' });
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
  });

  it('shows a result as pretty JSON and as data', async () => {
    const { result } = await mcp.rpc('tools/call', { name: 'get_state', arguments: { filter_by_name: 'kettle' } });
    expect(result.content).toHaveLength(1);
    expect(result.content[0].text).toBe(JSON.stringify(result.structuredContent, null, 2));
    expect(result.isError).toBeUndefined();
  });

  it('shows what an operation refuses as a result with isError, its sentence and its code', async () => {
    const { result } = await mcp.rpc('tools/call', { name: 'run_scene', arguments: { home: 'Nowhere', name: 'x' } });
    expect(result.isError).toBe(true);
    expect(JSON.parse(result.content[0].text)).toMatchObject({ code: 'home_not_found', field: 'home' });
    expect(result.structuredContent).toBeUndefined();
  });

  it('answers -32601 to an unknown method, -32602 to an unknown tool, -32700 to invalid JSON', async () => {
    expect(await mcp.rpc('automations/ponder')).toMatchObject({ error: { code: -32_601 } });
    expect(await mcp.rpc('tools/call', { name: 'make_tea', arguments: {} })).toMatchObject({
      error: { code: -32_602, message: 'There is no tool "make_tea".' },
    });
    const garbled = await mcp.post('{"jsonrpc": "2.0", ');
    expect([garbled.status, await garbled.json()]).toMatchObject([400, { error: { code: -32_700 }, id: null }]);
  });

  it('refuses what is JSON but no message', async () => {
    for (const body of ['null', '7', '"ping"', '{}', '{"jsonrpc":"1.0","id":1,"method":"ping"}', '[]', '[1]']) {
      const response = await mcp.post(body);
      expect([body, response.status]).toEqual([body, 400]);
      expect(await response.json()).toHaveProperty('error.code');
    }
  });

  it('serves names that every object has like any name that nothing has', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(await mcp.rpc('tools/call', { name, arguments: {} })).toMatchObject({ error: { code: -32_602 } });
      expect(await mcp.rpc(name)).toMatchObject({ error: { code: -32_601 } });
    }
  });
});

describe('The door at /mcp', () => {
  it('sends callers without a token to the metadata of this resource', async () => {
    const response = await createMcpClient(app).post(ping);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain(
      'resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"',
    );
    expect(await response.json()).toMatchObject({ error: 'invalid_token' });
  });

  it('answers the same to a token that is wrong or revoked', async () => {
    const { token, info } = home.tokens.create(systemCaller, { name: 'old', homePermissions: null });
    home.tokens.revoke(systemCaller, info.id);
    for (const wrong of [token, 'hc_nothing', 'nothing', 'a.b.c']) {
      expect((await createMcpClient(app, wrong).post(ping)).status).toBe(401);
    }
  });

  it('opens to a session', async () => {
    const { token } = await createUser(home, { role: 'view' });
    expect(await createMcpClient(app, token).rpc('ping')).toMatchObject({ result: {} });
  });

  it('has no streams and sessions to open or end: 405 to GET and DELETE, after asking who it is', async () => {
    const authorization = { Host: 'localhost', Authorization: `Bearer ${createToken(home)}` };
    for (const method of ['GET', 'DELETE', 'PUT']) {
      expect((await app.request('/mcp', { method, headers: { Host: 'localhost' } })).status).toBe(401);
      const response = await app.request('/mcp', { method, headers: authorization });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('does not open under a foreign name or to a foreign page', async () => {
    expect((await app.request('http://evil.example/mcp', { method: 'POST' })).status).toBe(403);
    expect((await mcp.post(ping, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await mcp.post(ping, { Origin: 'null' })).status).toBe(403);
    expect((await mcp.post(ping, { Origin: 'https://dash.example' })).status).toBe(200);
  });

  it('takes JSON alone, and no more than a megabyte', async () => {
    expect((await mcp.post(ping, { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await mcp.post({ ...ping, params: { pad: 'x'.repeat(1_100_000) } })).status).toBe(413);
  });

  it('protects every answer as all APIs do', async () => {
    for (const response of [await mcp.post(ping), await mcp.post('{'), await createMcpClient(app).post(ping)]) {
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('tries again after its first request failed to load the SDK', async () => {
    const { mcpRoutes } = await import('../../../src/api/mcp/mcp-routes.ts');
    const { FailureLog } = await import('../../../src/api/failure-log.ts');
    const { apiDeps } = await import('../../support/rest-client.ts');
    let loads = 0;
    const deps = apiDeps(home);
    const routes = mcpRoutes({ ...deps, failures: new FailureLog(deps) }, async (parts) => {
      loads += 1;
      if (loads === 1) throw new Error('the disk hiccuped');
      const { McpApi } = await import('../../../src/api/mcp/mcp-api.ts');
      return new McpApi(parts);
    });
    const ask = () =>
      routes.request('/', {
        method: 'POST',
        headers: {
          Host: 'localhost',
          'Content-Type': 'application/json',
          Authorization: `Bearer ${createToken(home)}`,
        },
        body: JSON.stringify(ping),
      });
    expect([(await ask()).status, (await ask()).status, loads]).toEqual([500, 200, 2]);
  });
});
