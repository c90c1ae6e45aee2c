/** GET /rest/state of a hundred accessories against a bare Hono server that serves the very same bytes. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import autocannon from 'autocannon';
import { Hono } from 'hono';
import { startFleet } from '../support/accessories/fleet.ts';
import { BenchDaemon, CONTROLLER } from './bench-daemon.ts';
import { median, printFinding } from './report.ts';

const ACCESSORIES = 100;
const CONNECTIONS = 10;
const SECONDS = 3;
const ROUNDS = 3;

export async function benchStateThroughput(): Promise<void> {
  const fleet = await startFleet({ count: ACCESSORIES, controllers: [CONTROLLER] });
  const daemon = await BenchDaemon.start(fleet.members);
  try {
    await daemon.untilConnected(ACCESSORIES);
    const headers = { Authorization: `Bearer ${daemon.token}` };
    const body = await (await fetch(`${daemon.url}/rest/state`, { headers })).text();
    const bare = await startBareServer(body);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      theirs.push(await requestsPerSecond(`${bare.url}/rest/state`, headers));
      ours.push(await requestsPerSecond(`${daemon.url}/rest/state`, headers));
    }
    bare.stop();
    printFinding({
      what: `GET /rest/state, ${ACCESSORIES} accessories, ${Math.round(body.length / 1024)} KiB`,
      ours: median(ours),
      baseline: median(theirs),
      unit: 'requests/s',
      target: { at: 'least', value: 0.8 },
    });
  } finally {
    await daemon.stop();
    await fleet.stop();
  }
}

async function requestsPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}

const AS_SERVER = '--bare-server';

/** A process of its own, as the daemon has one. */
async function startBareServer(body: string): Promise<{ url: string; stop(): void }> {
  const child = fork(import.meta.filename, [AS_SERVER], { execArgv: ['--import', 'tsx'] });
  child.send(body);
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

function serveBare(): void {
  process.once('message', (body: string) => {
    const app = new Hono().get('/rest/state', (c) => c.body(body, 200, { 'Content-Type': 'application/json' }));
    const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1', () => {
      process.send?.((server.address() as AddressInfo).port);
    });
  });
}

if (process.argv.includes(AS_SERVER)) serveBare();
