/**
 * The receivers of events in `security-secrets.test.ts`: webhooks, MQTT and streams. Each reports its input to a
 * witness.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { BuiltDaemon } from '../support/built-daemon.ts';
import { TestBroker, until } from '../support/mqtt-broker.ts';
import { TestWebSocket } from '../support/web-socket-client.ts';
import type { See, Visitor } from './life-visitors.ts';

/** A receiver of webhooks that takes nothing, and prints what it was set up with in every way that it can. */
export class Blabber {
  readonly #server: Server;
  readonly #knows: string[] = [];

  private constructor(see: See) {
    this.#server = createServer(async (request, answer) => {
      let body = '';
      for await (const piece of request) body += String(piece);
      see('deliveries', `${request.rawHeaders.join('\n')}\n${body}`);
      answer
        .writeHead(500)
        .end(this.#knows.flatMap((one) => [one, JSON.stringify(one), encodeURIComponent(one)]).join());
    });
  }

  static async start(see: See): Promise<Blabber> {
    const blabber = new Blabber(see);
    blabber.#server.listen(0, '127.0.0.1');
    await once(blabber.#server, 'listening');
    return blabber;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  learn(secret: string): void {
    this.#knows.push(secret);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

export const BROKER_USER = 'house';

/** A broker that accepts only this password. */
export function startBroker(password: string): Promise<TestBroker> {
  return TestBroker.start({ credentials: { username: BROKER_USER, password } });
}

/**
 * A webhook is made, tried and given another secret, and looked at from everywhere. @returns its secrets, oldest first
 */
export async function keepWebhook(
  ann: Visitor,
  blabber: Blabber,
  urlKey: string,
  see: See,
): Promise<readonly string[]> {
  const create =
    'mutation ($url: String!) { createWebhook(name: "Log", url: $url) { error rawSecret webhook { id } } }';
  const { data } = (await ann.graphql(create, { url: `${blabber.url}?key=${encodeURIComponent(urlKey)}` })).json();
  const { webhook, rawSecret: first } = data.createWebhook;
  blabber.learn(first);
  see('lists', (await ann.ask('POST', `/rest/webhooks/${webhook.id}/test`, {})).text);
  const rotated = (await ann.ask('POST', `/rest/webhooks/${webhook.id}/rotate-secret`, {})).json();
  blabber.learn(rotated.rawSecret);
  see('lists', (await ann.graphql(`mutation { testWebhook(webhookId: "${webhook.id}") { success error } }`)).text);
  const history = await ann.ask('GET', `/rest/webhooks/${webhook.id}/deliveries`);
  expect(history.text).toContain('[secret]');
  see('lists', history.text);
  for (const path of ['/rest/webhooks', `/rest/webhooks/${webhook.id}`])
    see('lists', (await ann.ask('GET', path)).text);
  return [first, rotated.rawSecret];
}

/** One broker lets the home in, the other refuses the password that it is given. */
export async function keepBrokers(
  ann: Visitor,
  homeId: string,
  { port, password, wrong }: { readonly port: number; readonly password: string; readonly wrong: string },
  see: See,
): Promise<void> {
  const path = `/rest/homes/${homeId}/mqtt`;
  const broker = { host: '127.0.0.1', port, username: BROKER_USER, haDiscovery: false };
  see('lists', (await ann.ask('POST', `${path}/brokers`, { ...broker, name: 'Kept', password })).text);
  const refused = await ann.ask('POST', `${path}/brokers`, {
    ...broker,
    name: 'Refused',
    topicPrefix: 'x',
    password: wrong,
  });
  see('lists', refused.text);
  const tried = await ann.ask('POST', `${path}/brokers/${refused.json().id}/test`, {});
  expect(tried.json().success).toBe(false);
  see('lists', tried.text);
  // It would go elsewhere than it was given for.
  expect((await ann.ask('PATCH', `${path}/brokers/${refused.json().id}`, { host: 'localhost' })).status).toBe(400);
  see('lists', (await ann.ask('GET', path)).text);
}

/** WebSockets with a token in their address, a right one and a wrong one, on both ports. */
export async function listen({ url }: BuiltDaemon, wsPort: number, tokens: { right: string; wrong: string }, see: See) {
  for (const address of [`${url.replace('http', 'ws')}/ws`, `ws://127.0.0.1:${wsPort}/`]) {
    const at = (token: string): string => `${address}?token=${encodeURIComponent(token)}`;
    await expect(TestWebSocket.open(at(tokens.wrong))).rejects.toThrow('HTTP 401');
    const socket = await TestWebSocket.open(at(tokens.right));
    await socket.ask('state.get');
    see('streams', JSON.stringify([await socket.ask('authenticate', { token: tokens.wrong }), ...socket.messages]));
    socket.close();
  }
}

/** What came to brokers, once something has. */
export async function seeMqtt(brokers: readonly TestBroker[], see: See): Promise<void> {
  for (const broker of brokers) {
    await until(() => broker.published.length > 0, 'A message');
    see('MQTT', JSON.stringify(broker.published));
  }
}
