/**
 * The smallest possible relay: an HTTP server over the usual library, in a process of its own. `POST /rest/state` sets
 * what the body names, `GET /events` sends what devices report, any other path is an object as the device sent it.
 * Nothing is checked, stored or shared.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectRaw, type RawMember } from './raw-client.ts';

/** The device's database by the path at which a client asks for it. */
let objects: Readonly<Record<string, object>> = {};

process.once('message', (member: RawMember) => {
  const client = connectRaw(member);
  let lastSet: Promise<unknown> = Promise.resolve();
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url !== '/events') {
      answer(response, JSON.stringify(objects[request.url ?? ''] ?? {}));
      return;
    }
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(': hello\n\n');
      listeners.add(response);
      request.on('close', () => listeners.delete(response));
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      // The library mixes up answers if two requests share its connection.
      lastSet = lastSet.then(() => client.setCharacteristics(JSON.parse(Buffer.concat(chunks).toString())));
      await lastSet;
      answer(response, '{"success":true}');
    });
  });
  // Clients wait while the other side has its turn.
  server.keepAliveTimeout = 0;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  client.on('event', (event: object) => {
    for (const response of listeners) response.write(`data: ${JSON.stringify(event)}\n\n`);
  });
  server.listen(0, '127.0.0.1', async () => {
    const { accessories } = await client.getAccessories();
    objects = { '/accessories': accessories, '/homes': [{ id: 1, name: 'Home' }] };
    for (const one of accessories) objects = { ...objects, [`/accessories/${one.aid}`]: one };
    await client.subscribeCharacteristics(['2.11', '3.11']);
    process.send?.((server.address() as AddressInfo).port);
  });
});
process.on('disconnect', () => process.exit());

function answer(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
