/**
 * The smallest possible relay: an HTTP server over the usual library, in a process of its own. `POST /rest/state` sets
 * what the body names, `GET /events` sends what devices report. Nothing is checked, stored or shared.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectRaw, type RawMember } from './raw-hap-controller.ts';

process.once('message', (member: RawMember) => {
  const client = connectRaw(member);
  let lastSet: Promise<unknown> = Promise.resolve();
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
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
      const body = '{"success":true}';
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
      response.end(body);
    });
  });
  client.on('event', (event: object) => {
    for (const response of listeners) response.write(`data: ${JSON.stringify(event)}\n\n`);
  });
  server.listen(0, '127.0.0.1', async () => {
    await client.subscribeCharacteristics(['2.11', '3.11']);
    process.send?.((server.address() as AddressInfo).port);
  });
});
process.on('disconnect', () => process.exit());
