/** The SDK's own client over real sockets, in each version of the protocol that it speaks. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../../src/api/server.ts';
import { slugKey } from '../../../src/home/slug.ts';
import { createTestApi, createToken } from '../../support/rest-client.ts';
import { serveApi } from '../../support/served-api.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';

const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const MODERN = '2026-07-28';

let home: TestHome;
let server: HttpServer;
let token: string;
const clients: Client[] = [];

beforeAll(async () => {
  home = createTestHome({ sample: true });
  token = createToken(home);
  server = await serveApi(createTestApi(home));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(async () => {
  await server.stop();
  home.close();
});

async function connect(version: string): Promise<Client> {
  const options = LEGACY.includes(version)
    ? { supportedProtocolVersions: [version] }
    : { versionNegotiation: { mode: { pin: version } } };
  const client = new Client({ name: 'test', version: '1' }, options);
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

describe.each([...LEGACY, MODERN])('A client that speaks %s', (version) => {
  it('connects, and learns who it talks to', async () => {
    const client = await connect(version);
    expect(client.getServerVersion()).toMatchObject({ name: 'hearthd' });
    expect(client.getInstructions()).toContain('get_state');
  });

  it('lists the tools and calls them; the answers are what their schemas declare', async () => {
    const client = await connect(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['get_state', 'set_state', 'query_history']));
    const key = slugKey(home.home.name, home.home.id);

    const state = await client.callTool({ name: 'get_state', arguments: {} });
    expect(state.structuredContent).toHaveProperty(key);
    const updates = [{ home: key, room: 'Living Room', accessory: 'Lamp', on: true, brightness: 33 }];
    const set = await client.callTool({ name: 'set_state', arguments: { updates } });
    expect(set.structuredContent).toMatchObject({ updated: 1, failed: 0 });
    const history = await client.callTool({ name: 'get_history', arguments: { accessory: 'lamp' } });
    expect(history.isError).toBeFalsy();
    const missing = await client.callTool({ name: 'run_scene', arguments: { home: key, name: 'Nothing' } });
    expect(missing).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/scene_not_found/) }],
    });
  });

  it('gets a protocol error for an unknown tool', async () => {
    const client = await connect(version);
    await expect(client.callTool({ name: 'make_tea', arguments: {} })).rejects.toThrow('There is no tool "make_tea".');
  });

  it('lists, completes and reads resources', async () => {
    const client = await connect(version);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`hearthd://accessories/${home.named('Lamp').id}`);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'hearthd://homes/{id}',
      'hearthd://accessories/{id}',
    ]);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'hearthd://accessories/{id}' },
      argument: { name: 'id', value: 'lam' },
    });
    expect(completion.values).toEqual([home.named('Lamp').id]);
    const { contents } = await client.readResource({ uri: `hearthd://accessories/${completion.values[0]}` });
    expect(contents).toMatchObject([{ mimeType: 'application/json', text: expect.stringContaining('"name": "Lamp"') }]);
  });
});

describe('A client that finds out by itself what is spoken here', () => {
  it('speaks the newest', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    });
    await client.connect(transport);
    clients.push(client);
    expect(client.getNegotiatedProtocolVersion()).toBe(MODERN);
  });
});
