import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRequest } from '../../../src/drivers/http/request-rules.ts';
import { refusalOf, type TargetPolicy } from '../../../src/drivers/http/target-rules.ts';
import { OWN_ADDRESSES, OWN_PORT, REFUSED_URLS } from '../../support/refused-urls.ts';

function policy(overrides: Partial<TargetPolicy> = {}): TargetPolicy {
  return {
    allowLoopback: false,
    ownAddresses: () => OWN_ADDRESSES,
    ownPorts: () => [OWN_PORT],
    ...overrides,
  };
}

/** What a URL comes to as an address; the names in the table are what a resolver would have to answer. */
function refusalOfUrl(url: string, resolved?: string): string | null {
  const { hostname, port } = checkRequest({ url, method: 'GET', headers: {}, timeoutMs: 1 });
  return refusalOf(resolved ?? hostname, port, policy());
}

const ALLOWED: readonly string[] = [
  '192.168.1.20',
  '10.0.0.7',
  '172.16.4.4',
  '100.64.3.2',
  '93.184.215.14',
  '::ffff:192.168.1.20',
  'fd12:3456:789a::1',
  '2606:4700:4700::1111',
  '64:ff9b::5db8:d70e',
];

describe('what nothing is sent to', () => {
  it.each(REFUSED_URLS.map(([url, resolved]) => ({ url, resolved })))('$url $resolved', ({ url, resolved }) => {
    expect(refusalOfUrl(url, resolved)).toEqual(expect.any(String));
  });

  it('is in a table of at least sixty spellings', () => {
    expect(new Set(REFUSED_URLS.map(([url]) => url)).size).toBe(REFUSED_URLS.length);
    expect(REFUSED_URLS.length).toBeGreaterThanOrEqual(60);
  });

  it('is loopback in every dress that an IPv4 address can wear', () => {
    const dresses = [
      (hex: string) => `::ffff:${hex}`,
      (hex: string) => `::ffff:0:${hex}`,
      (hex: string) => `64:ff9b::${hex}`,
      (hex: string) => `2002:${hex}::1`,
      (hex: string) => `fd00::5efe:${hex}`,
    ];
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte), fc.constantFrom(...dresses), ([b, c, d], dress) => {
        const hex = `${((127 << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        expect(refusalOf(dress(hex), 80, policy())).not.toBeNull();
      }),
    );
  });

  it('is every text that is no address at all', () => {
    expect(refusalOf('not-an-address', 80, policy())).toBe('no IP address');
  });
});

describe('what may be sent to', () => {
  it.each(ALLOWED)('%s', (address) => {
    expect(refusalOf(address, 80, policy())).toBeNull();
  });

  it('is another service of this computer on its own network address', () => {
    expect(refusalOf('192.168.1.10', 8123, policy())).toBeNull();
    expect(refusalOf('192.168.1.11', OWN_PORT, policy())).toBeNull();
  });

  it('is loopback and hearthd itself where the setting opens them, and still nothing link-local', () => {
    const open = policy({ allowLoopback: true });
    expect(refusalOf('127.0.0.1', 80, open)).toBeNull();
    expect(refusalOf('::1', 80, open)).toBeNull();
    expect(refusalOf('192.168.1.10', OWN_PORT, open)).toBeNull();
    expect(refusalOf('169.254.169.254', 80, open)).not.toBeNull();
    expect(refusalOf('fd00:ec2::254', 80, open)).not.toBeNull();
    expect(refusalOf('0.0.0.0', 80, open)).not.toBeNull();
    expect(refusalOf('fe80::1', 80, open)).not.toBeNull();
  });

  it('is no address of the home where the setting closes its network, in any notation, and all others', () => {
    const isPublic = (address: string) =>
      ['93.184.215.14', '2606:4700:4700::1111', '64:ff9b::5db8:d70e'].includes(address);
    const closed = policy({ publicOnly: true });
    for (const address of ALLOWED)
      expect([address, refusalOf(address, 80, closed) === null]).toEqual([address, isPublic(address)]);
    expect(refusalOf('127.0.0.1', 80, closed)).not.toBeNull();
    expect(refusalOf('127.0.0.1', 80, { ...closed, allowLoopback: true })).toBeNull();
  });
});
