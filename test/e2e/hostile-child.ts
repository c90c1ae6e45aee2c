/** An accessory that attacks its clients, in a process of its own. `hostile-accessory.ts` triggers it. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createSigningKeys } from '../support/accessories/identity.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import type { RawSession } from '../support/accessories/raw-session.ts';
import { encodeEvent, encodeReply, type RawRequest } from '../support/accessories/raw-wire.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import type { HostileOrder, HostileReport, Malice } from './hostile-accessory.ts';

const GIGABYTE = 2 ** 30;
const PIECE = Buffer.alloc(65_536, 'a');
const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/hap+json\r\n';

/** What it does to a request; how many bytes it could send is counted. */
type Attack = (session: RawSession, request: RawRequest) => Promise<void>;

let malice: Malice | undefined;
let accessory: RawAccessory;
let attacks = 0;
let bytes = 0;

function report(message: HostileReport): void {
  process.send?.(message);
}

/** Sends text through any encryption, no faster than the client reads. @returns whether the client still listens */
async function pour(session: RawSession, text: string | Buffer): Promise<boolean> {
  const piece = Buffer.from(text);
  await session.send(piece);
  bytes += piece.length;
  if (session.socket.writableNeedDrain) await drained(session.socket);
  return !session.socket.destroyed;
}

async function drained(socket: Socket): Promise<void> {
  const done = new AbortController();
  await Promise.race(['drain', 'close'].map((event) => once(socket, event, { signal: done.signal }))).catch(() => {});
  done.abort();
}

/** The same again and again, until the client is gone or `total` bytes are out. */
async function pourOn(session: RawSession, piece: string | Buffer, total = GIGABYTE): Promise<void> {
  for (let sent = 0; sent < total; sent += piece.length) if (!(await pour(session, piece))) return;
}

async function drip(session: RawSession): Promise<void> {
  for (const byte of `${JSON_HEAD}Content-Length: 100\r\n\r\n`) {
    if (!(await pour(session, byte))) return;
    await delay(1_000);
  }
}

async function reply(session: RawSession, body: string): Promise<void> {
  await pour(session, `${JSON_HEAD}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function repeated(item: (index: number) => string, count: number): string {
  return Array.from({ length: count }, (_, index) => item(index)).join();
}

const SERVICES = (count: number): string => `{"accessories":[{"aid":1,"services":[${repeated(() => '{}', count)}]}]}`;

/** Answers to `GET /accessories` or to any other request of a verified session. */
const ATTACKS: Record<Exclude<Malice, `events ${string}` | `pairing ${string}` | 'garbage after verify'>, Attack> = {
  'a body of a gigabyte': async (session) => {
    await pour(session, `${JSON_HEAD}Content-Length: ${GIGABYTE}\r\n\r\n`);
    await pourOn(session, PIECE);
  },
  'seven megabytes of a body that stops there': async (session) => {
    await pour(session, `${JSON_HEAD}Content-Length: 8000000\r\n\r\n`);
    await pourOn(session, PIECE, 7_000_000);
  },
  'chunks without end': async (session) => {
    await pour(session, `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    await pourOn(session, `10000\r\n${PIECE}\r\n`);
  },
  'an object without end': async (session) => {
    await pour(session, `${JSON_HEAD}\r\n{"a":"`);
    await pourOn(session, PIECE);
  },
  'a header without end': async (session) => {
    await pour(session, 'HTTP/1.1 200 OK\r\nX-Header: ');
    await pourOn(session, PIECE);
  },
  'blank lines without end': (session) => pourOn(session, '\r\n'.repeat(8_192)),
  'provisional answers without end': (session) => pourOn(session, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_024)),
  'a byte a second': (session) => drip(session),
  'a million services': (session) => reply(session, SERVICES(1_000_000)),
  'half a million accessories': (session) =>
    reply(session, `{"accessories":[${repeated((index) => `{"aid":${index}}`, 500_000)}]}`),
  'deep nesting': (session) => reply(session, '['.repeat(4_000_000)),
  'deep nesting in small pieces': (session) => reply(session, '{"a":'.repeat(1_000_000)),
  'megabytes of white space': (session) => reply(session, `{${' '.repeat(7_000_000)},}`),
  'a comment without end': (session) => reply(session, `{/*${'/*'.repeat(3_500_000)}`),
  'a string of backslashes': (session) => reply(session, `{"a":"${'\\'.repeat(7_000_000)}`),
  'a million numbers of many digits': (session) => reply(session, `[${repeated(() => '9'.repeat(20), 350_000)}]`),
};

const REGISTERED_EVENT = (value: number): Buffer => encodeEvent([{ aid: 1, iid: 10, value: value % 100 }]);

const FLOODS: Record<Extract<Malice, `events ${string}`>, (session: RawSession) => Promise<void>> = {
  'events by the hundred thousand': async (session) => {
    for (let sent = 0; sent < 100_000; sent += 100) {
      const hundred = Buffer.concat(Array.from({ length: 100 }, (_, index) => REGISTERED_EVENT(sent + index)));
      if (!(await pour(session, hundred))) return;
    }
  },
  'events of a hundred thousand changes': async (session) => {
    const element = '{"aid":1,"iid":10,"value":7}';
    const body = `{"characteristics":[${repeated(() => element, 35_000)}]}`;
    for (let sent = 0; sent < 30; sent += 1) {
      if (!(await pour(session, `EVENT/1.0 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`))) return;
    }
  },
  'events that make no sense': (session) =>
    pourOn(session, 'EVENT/1.0 200 OK\r\nContent-Length: 3\r\n\r\n{{{'.repeat(100), 5_000_000),
};

/** Type, then fragments of 255 bytes. */
function hugeTlv(type: number, length: number): Buffer {
  const parts = [Buffer.from([6, 1, 2])];
  for (let left = length; left > 0; left -= 255) {
    const value = Buffer.alloc(Math.min(255, left), 0xab);
    parts.push(Buffer.from([type, value.length]), value);
  }
  return Buffer.concat(parts);
}

function tlvReply(body: Buffer): Buffer {
  return encodeReply({ status: 200, contentType: 'application/pairing+tlv8', body });
}

const PAIRINGS: Record<Extract<Malice, `pairing ${string}`>, Attack> = {
  'pairing answered with a gigabyte': async (session) => {
    await pour(session, `HTTP/1.1 200 OK\r\nContent-Length: ${GIGABYTE}\r\n\r\n`);
    await pourOn(session, PIECE);
  },
  'pairing answered with a key of sixty kilobytes': async (session) => {
    await pour(session, tlvReply(Buffer.concat([hugeTlv(3, 60_000), Buffer.from([2, 16]), Buffer.alloc(16, 1)])));
  },
  'pairing answered with a salt of sixty kilobytes': async (session) => {
    await pour(session, tlvReply(Buffer.concat([hugeTlv(2, 60_000), Buffer.from([3, 4, 1, 2, 3, 4])])));
  },
  'pairing answered with ten thousand items': async (session) => {
    await pour(session, tlvReply(Buffer.concat(Array.from({ length: 20_000 }, () => Buffer.from([1, 1, 0])))));
  },
  'pairing answered with a byte a second': (session) => drip(session),
  'pairing answered with blank lines': (session) => pourOn(session, '\r\n'.repeat(8_192)),
  'pairing answered with notifications': (session) => pourOn(session, REGISTERED_EVENT(1)),
};

function takeOver(request: RawRequest, session: RawSession): Promise<void> | undefined {
  if (malice === undefined) return undefined;
  const isPairing = request.path.startsWith('/pair-');
  const attack = attackFor(malice, isPairing, session);
  if (!attack) return undefined;
  attacks += 1;
  return attack(session, request);
}

function attackFor(now: Malice, isPairing: boolean, session: RawSession): Attack | undefined {
  if (now in PAIRINGS) return isPairing ? PAIRINGS[now as keyof typeof PAIRINGS] : undefined;
  if (isPairing) return undefined;
  if (now in ATTACKS) return ATTACKS[now as keyof typeof ATTACKS];
  if (now === 'garbage after verify') {
    return async () => {
      while (!session.socket.destroyed && session.socket.write(PIECE)) bytes += PIECE.length;
    };
  }
  return undefined;
}

/** Floods follow the first request of a session, which is answered. */
function watchForFlood(request: RawRequest, session: RawSession): Promise<void> | undefined {
  if (
    malice !== undefined &&
    malice in FLOODS &&
    request.path.startsWith('/characteristics') &&
    !flooded.has(session)
  ) {
    flooded.add(session);
    attacks += 1;
    void FLOODS[malice as keyof typeof FLOODS](session);
  }
  return takeOver(request, session);
}

const flooded = new WeakSet<RawSession>();

async function start(order: Extract<HostileOrder, { type: 'start' }>): Promise<void> {
  accessory = await startRawAccessory({
    database: [lampAccessory('Hostile')],
    name: 'Hostile',
    deviceId: order.deviceId,
    setupCode: order.setupCode,
    keys: createSigningKeys(Buffer.from(order.seed, 'hex')),
    paired: order.controllers.map(({ id, publicKey }) => ({ id, publicKey: Buffer.from(publicKey, 'hex') })),
    mdns: false,
    keepLog: false,
    takeOver: watchForFlood,
  });
  report({ type: 'started', port: accessory.port });
}

process.on('message', (order: HostileOrder) => {
  switch (order.type) {
    case 'start':
      void start(order);
      return;
    case 'turn':
      malice = order.malice;
      attacks = 0;
      bytes = 0;
      accessory.disconnectAll();
      report({ type: 'turned' });
      return;
    case 'count':
      report({ type: 'counts', attacks, bytes });
  }
});
process.on('disconnect', () => process.exit());
