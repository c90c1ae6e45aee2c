/** Streams of changes, by the SDK's client without sockets, on a clock that the test moves. */
import { setImmediate } from 'node:timers/promises';
import { Client, type McpSubscription, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FailureLog } from '../../../src/api/failure-log.ts';
import { McpSubscriptions } from '../../../src/api/mcp/subscriptions.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { apiDeps, createRestClient, createTestApi, createToken } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';

let home: TestHome;
let app: ReturnType<typeof createTestApi>;
let isReady: boolean;
const clients: Client[] = [];

beforeEach(() => {
  home = createTestHome({ sample: true });
  isReady = true;
  app = createTestApi(home, { isReady: () => isReady });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  home.close();
});

type Filter = Parameters<Client['listen']>[0];

/** The notifications that a client has received so far. */
interface Ear {
  readonly client: Client;
  readonly subscription: McpSubscription;
  readonly received: string[];
}

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
    fetch: async (url, init) => app.request(String(url), init),
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

async function listen(token: string, filter: Filter): Promise<Ear> {
  const client = await connect(token);
  const received: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void received.push(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => void received.push('resources'));
  client.setNotificationHandler('notifications/tools/list_changed', () => void received.push('tools'));
  return { client, subscription: await client.listen(filter), received };
}

/** Lets time and what hangs on it go on. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 250) {
    await home.clock.advance(Math.min(left, 250));
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  }
}

const uriOf = (name: string): string => `hearthd://accessories/${home.named(name).id}`;
const setLamp = (on: boolean) =>
  home.control.setProperties(systemCaller, [{ accessoryId: home.named('Lamp').id, settings: { on } }]);

describe('subscriptions/listen', () => {
  it('reports that an accessory and its home have changed, each once for a burst', async () => {
    const homeUri = `hearthd://homes/${home.home.id}`;
    const { received } = await listen(createToken(home), { resourceSubscriptions: [uriOf('Lamp'), homeUri] });
    for (const on of [true, false, true]) await setLamp(on);
    await pass(500);
    expect(received.sort()).toEqual([uriOf('Lamp'), homeUri].sort());
  });

  it('sends nothing of what was not asked for', async () => {
    const { received } = await listen(createToken(home), { resourceSubscriptions: [uriOf('Kettle')] });
    await setLamp(true);
    await pass(500);
    expect(received).toEqual([]);
  });

  it('reports that there are other resources and tools', async () => {
    const filter = { resourcesListChanged: true, toolsListChanged: true };
    const { received } = await listen(createToken(home), filter);
    home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Mood', type: 'switch' });
    await pass(500);
    expect(received).toContain('resources');
    home.rooms.create(systemCaller, { homeId: home.home.id, name: 'Attic' });
    await pass(500);
    expect(received).toContain('tools');
  });

  it('sends nothing of homes that its caller may not see, regardless of the request', async () => {
    const { id } = home.homes.create(systemCaller, { name: 'Secret Lair' });
    home.registry.setConnected(id, true);
    const { token } = await createUser(home, { role: 'view' });
    const secret = home.virtuals.create(systemCaller, { homeId: id, name: 'Death Ray', type: 'switch' });
    const resourceSubscriptions = [`hearthd://accessories/${secret.id}`, `hearthd://homes/${id}`, uriOf('Lamp')];
    const { received } = await listen(token, { resourceSubscriptions, resourcesListChanged: true });
    home.virtuals.operate(systemCaller, secret.id, 'toggle');
    home.virtuals.create(systemCaller, { homeId: id, name: 'Shark', type: 'switch' });
    await pass(500);
    expect(received).toEqual([]);
    await setLamp(true);
    await pass(500);
    expect(received).toEqual([uriOf('Lamp')]);
  });

  it('reports other tools when the caller’s role changes, and nothing of the home once it has none', async () => {
    const { token, user } = await createUser(home, { role: 'view' });
    const { received } = await listen(token, { toolsListChanged: true, resourceSubscriptions: [uriOf('Lamp')] });
    home.members.setRole(systemCaller, { homeId: home.home.id, memberId: user.id, role: 'control' });
    await pass(1_000);
    expect(received).toEqual(['tools']);
    home.members.remove(systemCaller, { homeId: home.home.id, memberId: user.id });
    await setLamp(true);
    await pass(1_000);
    expect(received).not.toContain(uriOf('Lamp'));
  });

  it('ends within a second of its token’s revocation', async () => {
    const before = home.clock.pendingTimers;
    const { token, info } = home.tokens.create(systemCaller, { name: 'x', homePermissions: null });
    const { subscription, received } = await listen(token, { resourceSubscriptions: [uriOf('Lamp')] });
    home.tokens.revoke(systemCaller, info.id);
    await pass(1_000);
    expect(await subscription.closed).toBe('graceful');
    await setLamp(true);
    await pass(1_000);
    expect(received).toEqual([]);
    // Nothing is left that looks after it.
    expect(home.clock.pendingTimers).toBe(before);
  });

  it('ends with the session that opened it', async () => {
    const { token, caller } = await createUser(home, { role: 'view' });
    const { subscription } = await listen(token, { resourceSubscriptions: [uriOf('Lamp')] });
    await home.sessions.endAll(caller, {});
    await pass(1_000);
    expect(await subscription.closed).toBe('graceful');
  });

  it('ends when the daemon stops', async () => {
    const { subscription } = await listen(createToken(home), { resourceSubscriptions: [uriOf('Lamp')] });
    isReady = false;
    await pass(1_000);
    expect(await subscription.closed).toBe('graceful');
  });

  it('ends if the disk can no longer confirm its token, and takes nothing else with it', async () => {
    const before = home.clock.pendingTimers;
    const { subscription } = await listen(createToken(home), { resourceSubscriptions: [uriOf('Lamp')] });
    vi.spyOn(home.credentials, 'isLive').mockImplementation(() => {
      throw new HearthError('storage_unavailable', 'The disk is gone.');
    });
    await pass(1_000);
    expect(await subscription.closed).toBe('graceful');
    expect(home.clock.pendingTimers).toBe(before);
  });

  it('lets go of everything when its client leaves', async () => {
    const before = home.clock.pendingTimers;
    const { subscription } = await listen(createToken(home), { resourceSubscriptions: [uriOf('Lamp')] });
    expect(home.clock.pendingTimers).toBeGreaterThan(before);
    await subscription.close();
    // The relay learns of it when the stream itself has ended.
    await vi.waitFor(() => expect(home.clock.pendingTimers).toBe(before), { timeout: PATIENCE_MS });
  });

  it('is open eight times a token at most; a stream that ends makes room', async () => {
    const token = createToken(home);
    const filter = { resourceSubscriptions: [uriOf('Lamp')] };
    const ears: Ear[] = [];
    for (let count = 0; count < 8; count += 1) ears.push(await listen(token, filter));
    await expect(listen(token, filter)).rejects.toThrow(/429|Too many/);
    await expect(listen(createToken(home), filter)).resolves.toBeDefined();
    await ears[0]?.subscription.close();
    await vi.waitFor(() => listen(token, filter), { timeout: PATIENCE_MS });
  });

  it('refuses an invalid filter, and takes an empty one for no events', async () => {
    const token = createToken(home);
    const rest = createRestClient(app, token);
    const before = home.clock.pendingTimers;
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' };
    const ask = (params: object) =>
      rest.post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { ...params, _meta: meta } },
        headers,
      );
    expect((await ask({})).body.error.code).toBe(-32_602);
    expect((await ask({ notifications: {} })).text).toContain('"resultType":"complete"');
    await pass(250);
    expect(home.clock.pendingTimers).toBe(before);
  });

  it('keeps for a reader that takes nothing only what changed, and gives it up after a minute', async () => {
    const deps = apiDeps(home);
    const subscriptions = new McpSubscriptions({ ...deps, failures: new FailureLog(deps) });
    const subscription = subscriptions.open(systemCaller);
    let message = 0;
    let queue: ReadableStreamDefaultController<Uint8Array> | undefined;
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        queue = controller;
      },
    });
    subscription.subscribe(() => {
      message += 1;
      queue?.enqueue(new Uint8Array(1));
    });
    let isCut = false;
    const cut = (): void => {
      isCut = true;
    };
    const reader = subscription.carry(source, () => Promise.resolve(), cut).getReader();
    const first = reader.read();
    await pass(250);
    await setLamp(true);
    await pass(500);
    expect((await first).done).toBe(false);
    const afterFirst = message;
    for (let count = 0; count < 50; count += 1) {
      await setLamp(count % 2 === 0);
      await pass(250);
    }
    expect(message).toBe(afterFirst);
    await pass(61_000);
    expect([isCut, (await reader.read()).done]).toEqual([true, true]);
  });
});
