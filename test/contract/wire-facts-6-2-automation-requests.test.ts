/**
 * Wire-facts §6.2, fire_webhook, with decisions §9 on targets: what automations send goes nowhere that it should not,
 * to real servers.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GuardedSender } from '../../src/drivers/http/guarded-sender.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { type AutomationClient, openAutomationClient, step } from './automation-client.ts';

let server: Server;
let port: number;
let seen: IncomingMessage[];
let door: AutomationClient;

beforeEach(async () => {
  seen = [];
  server = createServer((request, response) => {
    seen.push(request);
    if (request.url === '/moved') response.writeHead(302, { Location: '/elsewhere' }).end();
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"lamp":"on"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  await door.close();
  await new Promise((resolve) => server.close(resolve));
});

function open(allowLoopback: boolean): void {
  const http = new GuardedSender({ clock: systemClock, allowLoopback, ownAddresses: () => [], ownPorts: () => [] });
  door = openAutomationClient({ http, runsPerMinute: 1_000 });
}
async function send(url: string) {
  const { id } = await door.save({ actions: [{ id: 'call', type: 'fire_webhook', url, method: 'GET' }] });
  const { runId } = (await door.rest.post(`/rest/flows/${id}/run`, {})).body;
  await expect.poll(async () => (await door.trace(runId)).status).toBe('success');
  return step(await door.trace(runId), 'call').output;
}

describe('fire_webhook', () => {
  it('refuses loopback, link-local and metadata addresses and hearthd itself, and the run goes on', async () => {
    open(false);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, '169.254.169.254', '0.0.0.0:5656']) {
      expect(await send(`http://${host}/`), host).toMatchObject({ ok: false, status: 0, error: expect.any(String) });
    }
    expect(seen).toEqual([]);
  });

  it('reaches them where the owner has opened this computer, and gives what was answered', async () => {
    open(true);
    expect(await send(`http://127.0.0.1:${port}/x`)).toMatchObject({ ok: true, status: 200, body: { lamp: 'on' } });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /x']);
  });

  it('follows no redirect: that is the answer', async () => {
    open(true);
    expect(await send(`http://127.0.0.1:${port}/moved`)).toMatchObject({ ok: false, status: 302 });
    expect(seen.map(({ url }) => url)).toEqual(['/moved']);
  });
});
