/** The process of `subscribers.ts`. It counts and keeps little: its work must not slow down the relay. */
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Aedes } from 'aedes';
import { WebSocket } from 'ws';
import type { Listener, SubscribersOrder, SubscribersReport } from './subscribers.ts';

interface Receiver {
  readonly ids: Set<string>;
  deliveries: number;
  repeated: number;
  disordered: number;
  /** By accessory: the order of two is open where they change at the same moment. */
  readonly newest: Map<string, number>;
}

interface Ear extends Mutable<Listener> {
  readonly newest: Map<string, number>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const receivers: Receiver[] = [];
const streams: Ear[] = [];
const sockets: Ear[] = [];
/** What lets those listen that do not yet. */
const deaf: (() => void)[] = [];
const topics: Record<string, string> = {};

const report = (what: SubscribersReport): void => void process.send?.(what);

async function openReceiver(): Promise<string> {
  const receiver: Receiver = { ids: new Set(), deliveries: 0, repeated: 0, disordered: 0, newest: new Map() };
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
  if (isOlder(receiver.newest, body)) receiver.disordered += 1;
}

const ACCESSORY = /"accessoryId":"([^"]+)"/;
const VALUE = /"value":(\d+)/;
const COUNT = /"count":(\d+)/;

/**
 * Of each accessory, values only rise. Looks at little of the text: a hundred listeners receive the same thousands of
 * times.
 */
function isOlder(newest: Map<string, number>, text: string): boolean {
  const accessory = ACCESSORY.exec(text)?.[1] ?? '';
  const value = Number(VALUE.exec(text)?.[1] ?? 0);
  const before = newest.get(accessory) ?? 0;
  newest.set(accessory, value);
  return value < before;
}

function newEar(): Ear {
  return { changes: 0, disordered: 0, missed: 0, missedChanges: 0, ended: false, newest: new Map() };
}

function receive(ear: Ear, kind: 'change' | 'missed', text: string): void {
  if (kind === 'change') {
    ear.changes += 1;
    if (isOlder(ear.newest, text)) ear.disordered += 1;
  } else {
    ear.missed += 1;
    ear.missedChanges += Number(COUNT.exec(text)?.[1] ?? 0);
  }
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

function openStream(url: string, token: string, isDeaf: boolean): Promise<void> {
  const ear = newEar();
  streams.push(ear);
  return new Promise((resolve, reject) => {
    const request = get(`${url}/events`, { headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`GET /events answered ${response.statusCode}`));
      let rest = '';
      let type = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (line.startsWith('event: ')) type = line.slice('event: '.length);
          else if (!line.startsWith('data: ')) continue;
          else if (type === 'state.changed') receive(ear, 'change', line);
          else if (type === 'missed') receive(ear, 'missed', line);
        }
      });
      if (isDeaf) deaf.push(() => response.resume());
      if (isDeaf) response.pause();
      response.on('close', () => {
        ear.ended = true;
      });
      resolve();
    });
    request.on('error', reject);
  });
}

async function openSocket(url: string, token: string, homeId: string, isDeaf: boolean): Promise<void> {
  const ear = newEar();
  sockets.push(ear);
  const socket = new WebSocket(url);
  socket.on('close', () => {
    ear.ended = true;
  });
  await once(socket, 'open');
  const subscribed = new Promise<void>((resolve, reject) => {
    socket.on('message', (data) => {
      const text = data.toString();
      if (text.includes('"characteristic_update"')) receive(ear, 'change', text);
      else if (text.includes('"type":"missed"')) receive(ear, 'missed', text);
      else if (text.includes('"error"')) reject(new Error(text));
      else if (text.includes('"id":"2"')) resolve();
    });
  });
  const ask = (id: string, action: string, payload: object): void =>
    socket.send(JSON.stringify({ id, type: 'request', action, payload }));
  ask('1', 'authenticate', { token });
  ask('2', 'subscribe', { scopes: [{ type: 'home', id: homeId }], ttl: 300 });
  await subscribed;
  if (isDeaf) deaf.push(() => socket.resume());
  if (isDeaf) socket.pause();
}

/** Without what only we need to know. */
function receivedBy({ newest: _, ...listener }: Ear): Listener {
  return listener;
}

process.on('message', async (order: SubscribersOrder) => {
  switch (order.type) {
    case 'open': {
      const receiverUrls = await Promise.all(Array.from({ length: order.receivers }, openReceiver));
      return report({ type: 'opened', receiverUrls, brokerPort: await openBroker() });
    }
    case 'listen': {
      const { url, socketUrl, token, homeId, size } = order;
      for (let count = 0; count < size.streams; count += 1) await openStream(url, token, count < size.deaf);
      for (let count = 0; count < size.sockets; count += 1) {
        await openSocket(socketUrl, token, homeId, count < size.deaf);
      }
      return report({ type: 'listening' });
    }
    case 'wake':
      for (const listen of deaf.splice(0)) listen();
      return;
    case 'count':
      return report({
        type: 'received',
        received: {
          receivers: receivers.map(({ deliveries, repeated, disordered }) => ({ deliveries, repeated, disordered })),
          streams: streams.map(receivedBy),
          sockets: sockets.map(receivedBy),
          topics,
        },
      });
  }
});
