import { Bonjour } from 'bonjour-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startReplayAccessory } from '../support/accessories/replay-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { eventually } from './eventually.ts';

interface Packet {
  readonly answers: readonly DnsRecord[];
  readonly additionals: readonly DnsRecord[];
}

interface DnsRecord {
  readonly type: string;
  readonly name: string;
  readonly ttl?: number;
  readonly data: unknown;
}

/** bonjour-service's transport, kept to loopback (its own browser misses half of what follows). */
interface Transport {
  on(event: 'response', listener: (packet: Packet) => void): void;
  query(name: string, type: string): void;
}

let bonjour: Bonjour;
let records: DnsRecord[];
let transport: Transport;

beforeEach(() => {
  bonjour = new Bonjour({ interface: '127.0.0.1', bind: '0.0.0.0' } as never);
  transport = (bonjour as unknown as { server: { mdns: Transport } }).server.mdns;
  records = [];
  transport.on('response', ({ answers, additionals }) => records.push(...answers, ...additionals));
});

afterEach(() => new Promise<void>((resolve) => bonjour.destroy(() => resolve())));

/** The last TXT record of this device, as an object. */
function txtOf(deviceId: string): Record<string, string> | undefined {
  return records
    .filter(({ type }) => type === 'TXT')
    .map(({ data }) => Object.fromEntries((data as Buffer[]).map((entry) => entry.toString().split('=', 2))))
    .findLast((txt) => txt.id === deviceId);
}

function portOf(name: string): number | undefined {
  const last = records.findLast((record) => record.type === 'SRV' && record.name === `${name}._hap._tcp.local`);
  return (last?.data as { port: number } | undefined)?.port;
}

describe('an advertised accessory', () => {
  it('announces itself, its changes and its end on loopback, under its whole name', async () => {
    const name = `Lampe 1.0 ${process.pid} 💡`;
    const accessory = await startReplayAccessory({ database: [lampAccessory('Lamp')], name, category: 5 });
    const { deviceId } = accessory;
    transport.query('_hap._tcp.local', 'PTR');
    await eventually(() => txtOf(deviceId)).toMatchObject({ 'c#': '1', sf: '1', ci: '5', ff: '0', pv: '1.1' });
    await eventually(() => portOf(name)).toBe(accessory.port);
    expect(records.filter(({ type }) => type === 'A').every(({ data }) => String(data).startsWith('127.'))).toBe(true);
    await accessory.setDatabase([lampAccessory('Lamp'), lampAccessory('Other', 2)]);
    await eventually(() => txtOf(deviceId)?.['c#']).toBe('2');
    await accessory.restart({ port: 0 });
    await eventually(() => portOf(name)).toBe(accessory.port);
    records.length = 0;
    await accessory.stop();
    const isGoodbye = ({ type, data, ttl }: DnsRecord) => type === 'PTR' && String(data).startsWith(name) && ttl === 0;
    await eventually(() => records.some(isGoodbye)).toBe(true);
  });
});
