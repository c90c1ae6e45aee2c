import { describe, expect, it } from 'vitest';
import { parseCa, parseHost } from '../../src/home/mqtt-target.ts';

describe('the host of a broker', () => {
  it.each([
    [' Broker.Local ', 'broker.local'],
    ['mqtt_1', 'mqtt_1'],
    ['192.168.1.10', '192.168.1.10'],
    ['223.255.255.255', '223.255.255.255'],
    ['1.0.0.1', '1.0.0.1'],
    ['fd00::1', 'fd00::1'],
    ['[FD00::1]', 'fd00::1'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['::1', '::1'],
    ['::ffff:192.168.1.10', '::ffff:192.168.1.10'],
    [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`, expect.any(String)],
  ])('%j is %j', (text, host) => {
    expect(parseHost(text)).toEqual(host);
  });

  it.each([
    ['mqtt://broker.local', 'without a scheme'],
    ['ann@broker.local', 'without credentials'],
    ['broker.local/path', 'without a path'],
    ['broker.local?x', 'without a path'],
    ['broker.local:1883', 'without a port'],
    ['[fd00::1]:1883', 'without a port'],
    ['127.1', 'a name or an address'],
    ['0x7f000001', 'a name or an address'],
    ['2130706433', 'a name or an address'],
    ['256.1.1.1', 'a name or an address'],
    ['-broker', 'a name or an address'],
    ['broker-', 'a name or an address'],
    ['', 'a name or an address'],
    [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(62)}`, 'a name or an address'],
    ['0.0.0.0', 'of one computer'],
    ['224.0.0.1', 'of one computer'],
    ['255.255.255.255', 'of one computer'],
    ['::', 'of one computer'],
    ['ff02::1', 'of one computer'],
    ['::ffff:224.0.0.1', 'of one computer'],
    ['::ffff:0.0.0.0', 'of one computer'],
  ])('%j is refused: give it %s', (text, wanted) => {
    expect(() => parseHost(text)).toThrow(wanted);
  });
});

describe('the authority of a broker', () => {
  it.each([
    ['', 'certificates as PEM text'],
    ['-----BEGIN PRIVATE KEY-----', 'certificates only'],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'that can be read'],
    ['x'.repeat(64 * 1024 + 1), 'at most 64 KiB'],
  ])('is not %j', (text, wanted) => {
    expect(() => parseCa(text)).toThrow(wanted);
  });
});
