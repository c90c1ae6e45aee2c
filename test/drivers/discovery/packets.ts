/**
 * mDNS packets as accessories send them, written by dns-packet: another implementation than the one under test.
 */
import { type Answer, decode, encode, type Packet } from 'dns-packet';

export interface FakeDevice {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
  readonly txt: Readonly<Record<string, string>>;
  readonly ttl: number;
}

export const SERVICE = '_hap._tcp.local';

export function device(overrides: Partial<FakeDevice> = {}): FakeDevice {
  return {
    id: 'AA:BB:CC:DD:EE:01',
    name: 'Lamp',
    host: 'lamp.local',
    port: 51826,
    ipv4: ['192.0.2.10'],
    ipv6: [],
    txt: {},
    ttl: 120,
    ...overrides,
  };
}

export function instanceOf({ name }: FakeDevice): string {
  return `${name}.${SERVICE}`;
}

export function ptr(from: FakeDevice, ttl = 4500): Answer {
  return { type: 'PTR', name: SERVICE, ttl, data: instanceOf(from) };
}

export function srv(from: FakeDevice, ttl = from.ttl): Answer {
  return { type: 'SRV', name: instanceOf(from), ttl, flush: true, data: { port: from.port, target: from.host } };
}

export function txt(from: FakeDevice, ttl = 4500): Answer {
  const pairs = { 'c#': '1', ff: '0', id: from.id, md: 'Model', pv: '1.1', 's#': '1', sf: '1', ci: '5', ...from.txt };
  const strings = Object.entries(pairs).map(([key, value]) => Buffer.from(`${key}=${value}`));
  return { type: 'TXT', name: instanceOf(from), ttl, flush: true, data: strings };
}

export function addresses(from: FakeDevice, ttl = from.ttl): Answer[] {
  return [
    ...from.ipv4.map((data): Answer => ({ type: 'A', name: from.host, ttl, flush: true, data })),
    ...from.ipv6.map((data): Answer => ({ type: 'AAAA', name: from.host, ttl, flush: true, data })),
  ];
}

/** Everything in one packet, as at start-up. */
export function announcement(from: FakeDevice): Buffer {
  return response([ptr(from)], [srv(from), txt(from), ...addresses(from)]);
}

export function goodbye(from: FakeDevice): Buffer {
  return response([ptr(from, 0)]);
}

export function response(answers: readonly Answer[], additionals: readonly Answer[] = []): Buffer {
  return encode({ type: 'response', flags: 0x400, answers: [...answers], additionals: [...additionals] });
}

/**
 * dns-packet ends a label at every dot: write the dots that belong to a label as this character (found nowhere else).
 */
export const LABEL_DOT = '\u007f';
export function withLabelDots(packet: Buffer): Buffer {
  return Buffer.from(packet.map((byte) => (byte === LABEL_DOT.charCodeAt(0) ? 0x2e : byte)));
}

export function questionsOf(packet: Buffer): string[] {
  return (decode(packet) as Packet).questions?.map(({ type, name }) => `${type} ${name}`) ?? [];
}

export function knownAnswersOf(packet: Buffer): string[] {
  return (decode(packet) as Packet).answers?.map((answer) => ('data' in answer ? String(answer.data) : '')) ?? [];
}
