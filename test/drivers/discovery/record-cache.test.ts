import { describe, expect, it } from 'vitest';
import type { DnsRecord } from '../../../src/drivers/discovery/dns-message.ts';
import { RecordCache } from '../../../src/drivers/discovery/record-cache.ts';

const NAME = 'Lamp._hap._tcp.local';
const ORIGIN = { interfaceName: 'eth0', loopback: false, sender: '192.0.2.10' };
const OTHER = { ...ORIGIN, sender: '192.0.2.11' };

const a = (address: string, overrides: Partial<DnsRecord> = {}): DnsRecord =>
  ({ type: 'A', name: 'lamp.local', ttlSeconds: 120, flush: false, address, ...overrides }) as DnsRecord;
const srv = (port: number, ttlSeconds = 120): DnsRecord => ({
  type: 'SRV',
  name: NAME,
  ttlSeconds,
  flush: true,
  port,
  target: 'lamp.local',
});
const ptr = (ttlSeconds: number): DnsRecord => ({
  type: 'PTR',
  name: '_hap._tcp.local',
  ttlSeconds,
  flush: false,
  target: NAME,
});
const cacheOf = (limits = {}) => new RecordCache({ limits, random: () => 0 });
const addressesIn = (cache: RecordCache) => cache.get('A', 'LAMP.local').map(({ record }) => record.address);

describe('The record cache', () => {
  it('a flush dooms the older addresses of the same origin, but not those received within the last second', () => {
    const cache = cacheOf();
    cache.put(a('192.0.2.1'), ORIGIN, 0);
    cache.put(a('192.0.2.9'), OTHER, 0);
    cache.put(a('192.0.2.2', { flush: true }), ORIGIN, 5_000);
    cache.put(a('192.0.2.3', { flush: true }), ORIGIN, 5_500);
    expect(cache.get('A', 'lamp.local').filter(({ doomed }) => doomed)).toMatchObject([
      { record: { address: '192.0.2.1' }, expiresAt: 6_000 },
    ]);
    cache.sweep(6_000);
    expect(addressesIn(cache).sort()).toEqual(['192.0.2.2', '192.0.2.3', '192.0.2.9']);
  });

  it('a repeat keeps the time of first appearance and renews the rest', () => {
    const cache = cacheOf();
    cache.put(a('192.0.2.1'), ORIGIN, 0);
    cache.put(a('192.0.2.1'), ORIGIN, 60_000);
    expect(cache.get('A', 'lamp.local')).toMatchObject([{ since: 0, receivedAt: 60_000, expiresAt: 180_000 }]);
    expect(cache.size).toBe(1);
  });

  it('one SRV record per instance and origin: the last one', () => {
    const cache = cacheOf();
    cache.put(srv(1), ORIGIN, 0);
    cache.put(srv(2), ORIGIN, 1);
    cache.put(srv(3), OTHER, 1);
    expect(cache.get('SRV', NAME).map(({ record }) => record.port)).toEqual([2, 3]);
  });

  it('a goodbye in the PTR record takes SRV and TXT of the same origin along', () => {
    const cache = cacheOf();
    for (const origin of [ORIGIN, OTHER]) {
      cache.put(srv(1), origin, 0);
      cache.put(ptr(4500), origin, 0);
    }
    cache.put(ptr(0), ORIGIN, 1_000);
    cache.sweep(2_000);
    expect(cache.get('SRV', NAME).map(({ origin }) => origin.sender)).toEqual(['192.0.2.11']);
  });

  it('a goodbye from an address that never spoke of the name counts for all', () => {
    const cache = cacheOf();
    cache.put(srv(1), ORIGIN, 0);
    cache.put(ptr(4500), ORIGIN, 0);
    cache.put(ptr(0), OTHER, 1_000);
    cache.sweep(2_000);
    expect(cache.size).toBe(0);
  });

  it('a time to live beyond reason is cut to 75 minutes', () => {
    const cache = cacheOf();
    cache.put(a('192.0.2.1', { ttlSeconds: 2 ** 32 - 1 }), ORIGIN, 0);
    expect(cache.get('A', 'lamp.local')[0]?.expiresAt).toBe(75 * 60_000);
  });

  it('nextDueAt is never later than what is due', () => {
    const cache = cacheOf();
    expect(cache.nextDueAt).toBe(Number.POSITIVE_INFINITY);
    cache.put(srv(1), ORIGIN, 0);
    expect(cache.nextDueAt).toBe(96_000);
    expect(cache.sweep(96_000).stale).toHaveLength(1);
    expect(cache.nextDueAt).toBe(102_000);
    cache.put(srv(1, 0), ORIGIN, 100_000);
    expect(cache.nextDueAt).toBe(101_000);
    expect(cache.sweep(101_000).expired).toHaveLength(1);
    expect(cache.nextDueAt).toBe(Number.POSITIVE_INFINITY);
  });

  it('addresses of unknown hosts take up a share only, and none of it once their service is known', () => {
    const cache = cacheOf({ strayAddresses: 2 });
    const put = (at: number) => cache.put(a('192.0.2.1', { name: `h${at}.local` }), ORIGIN, 0);
    expect([put(1), put(2), put(3)]).toEqual(['changed', 'changed', 'refused']);
    cache.put({ ...srv(1), target: 'h1.local' } as DnsRecord, ORIGIN, 0);
    expect([put(3), put(4)]).toEqual(['changed', 'refused']);
    cache.put({ ...srv(1), target: 'elsewhere.local' } as DnsRecord, ORIGIN, 0);
    expect(put(4)).toBe('refused');
    expect(cache.put(a('192.0.2.1', { name: 'elsewhere.local' }), ORIGIN, 0)).toBe('changed');
    cache.sweep(1e9);
    expect([cache.size, put(5), put(6), put(7)]).toEqual([0, 'changed', 'changed', 'refused']);
  });

  it('one name cannot take up more than its share', () => {
    const cache = cacheOf();
    for (let at = 0; at < 255; at += 1) cache.put(a(`192.0.2.${at}`), ORIGIN, 0);
    expect(cache.size).toBe(64);
  });

  it('a TXT record longer than any HAP server’s is not kept', () => {
    const strings = Array.from({ length: 10 }, () => Buffer.alloc(200));
    const txt: DnsRecord = { type: 'TXT', name: NAME, ttlSeconds: 10, flush: true, strings };
    expect(cacheOf().put(txt, ORIGIN, 0)).toBe('refused');
  });
});
