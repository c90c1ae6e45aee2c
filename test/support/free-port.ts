import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A TCP port of 127.0.0.1 that was free a moment ago. Where a part can listen on 0 itself, prefer that. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether `port` of 127.0.0.1 can be listened on now. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const free = await Promise.race([
    once(server, 'listening').then(() => true),
    once(server, 'error').then(
      () => false,
      () => false,
    ),
  ]).catch(() => false);
  if (free) {
    server.close();
    await once(server, 'close');
  }
  return free;
}

/** Linux hands out ports from 32768 on to outgoing connections. */
const LOWEST = 10_000;
const BELOW_EPHEMERAL = 32_000;

/**
 * Free ports of 127.0.0.1 that stay free while their owner is away: no outgoing connection is given one, so no other
 * program can take it, nor connect to itself by trying again and again.
 */
export async function lastingPorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  let port = LOWEST + Math.floor(Math.random() * (BELOW_EPHEMERAL - LOWEST));
  for (let tried = 0; ports.length < count; tried += 1) {
    if (tried > BELOW_EPHEMERAL - LOWEST) throw new Error(`There are no ${count} free ports`);
    if (await isPortFree(port)) ports.push(port);
    port = port + 1 < BELOW_EPHEMERAL ? port + 1 : LOWEST;
  }
  return ports;
}
