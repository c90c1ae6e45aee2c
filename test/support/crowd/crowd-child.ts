/** The process of `crowd.ts`. It counts and keeps little: what it does must not slow down whom it listens to. */
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Aedes } from 'aedes';
import { WebSocket } from 'ws';
import type { CrowdOrder, CrowdReport } from './crowd.ts';

interface Receiver {
  readonly ids: Set<string>;
  deliveries: number;
  repeated: number;
  disordered: number;
  newest: number;
}

interface Ear {
  changes: number;
  missed: number;
  ended: boolean;
}

const receivers: Receiver[] = [];
const streams: Ear[] = [];
const sockets: Ear[] = [];
const topics: Record<string, string> = {};

const report = (what: CrowdReport): void => void process.send?.(what);

async function openReceiver(): Promise<string> {
  const receiver: Receiver = { ids: new Set(), deliveries: 0, repeated: 0, disordered: 0, newest: 0 };
  receivers.push(receiver);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      note(receiver, String(request.headers['x-homecast-delivery']), Buffer.concat(chunks).toString());
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

function note(receiver: Receiver, id: string, body: string): void {
  receiver.deliveries += 1;
  if (receiver.ids.has(id)) receiver.repeated += 1;
  receiver.ids.add(id);
  // Values only rise: each says how many there were before it.
  const value = Number(JSON.parse(body).data?.value ?? 0);
  if (value < receiver.newest) receiver.disordered += 1;
  receiver.newest = value;
}

async function openBroker(): Promise<number> {
  const broker = await Aedes.createBroker();
  const server = createTcpServer(broker.handle);
  broker.on('publish', ({ topic, payload }) => {
    if (!topic.startsWith('$')) topics[topic] = payload.toString();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Counts what says that something changed, without reading it further. */
function openStream(url: string, token: string): Promise<void> {
  const ear: Ear = { changes: 0, missed: 0, ended: false };
  streams.push(ear);
  return new Promise((resolve, reject) => {
    const request = get(`${url}/events`, { headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`GET /events answered ${response.statusCode}`));
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (line === 'event: state.changed') ear.changes += 1;
          else if (line === 'event: missed') ear.missed += 1;
        }
      });
      response.on('close', () => {
        ear.ended = true;
      });
      resolve();
    });
    request.on('error', reject);
  });
}

async function openSocket(url: string, token: string, homeId: string): Promise<void> {
  const ear: Ear = { changes: 0, missed: 0, ended: false };
  sockets.push(ear);
  const socket = new WebSocket(url);
  socket.on('close', () => {
    ear.ended = true;
  });
  await once(socket, 'open');
  const subscribed = new Promise<void>((resolve, reject) => {
    socket.on('message', (data) => {
      const text = data.toString();
      if (text.includes('"characteristic_update"')) ear.changes += 1;
      else if (text.includes('"type":"missed"')) ear.missed += 1;
      else if (text.includes('"error"')) reject(new Error(text));
      else if (text.includes('"id":"2"')) resolve();
    });
  });
  const ask = (id: string, action: string, payload: object): void =>
    socket.send(JSON.stringify({ id, type: 'request', action, payload }));
  ask('1', 'authenticate', { token });
  ask('2', 'subscribe', { scopes: [{ type: 'home', id: homeId }], ttl: 300 });
  await subscribed;
}

process.on('message', async (order: CrowdOrder) => {
  switch (order.type) {
    case 'open': {
      const receiverUrls = await Promise.all(Array.from({ length: order.receivers }, openReceiver));
      return report({ type: 'opened', receiverUrls, brokerPort: await openBroker() });
    }
    case 'listen': {
      const { url, socketUrl, token, homeId, size } = order;
      for (let count = 0; count < size.streams; count += 1) await openStream(url, token);
      for (let count = 0; count < size.sockets; count += 1) await openSocket(socketUrl, token, homeId);
      return report({ type: 'listening' });
    }
    case 'count':
      return report({
        type: 'heard',
        heard: {
          receivers: receivers.map(({ deliveries, repeated, disordered }) => ({ deliveries, repeated, disordered })),
          streams,
          sockets,
          topics,
        },
      });
  }
});
