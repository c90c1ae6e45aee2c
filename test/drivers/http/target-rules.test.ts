import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRequest } from '../../../src/drivers/http/request-rules.ts';
import { refusalOf, type TargetPolicy } from '../../../src/drivers/http/target-rules.ts';

const OWN_PORT = 5656;

function policy(overrides: Partial<TargetPolicy> = {}): TargetPolicy {
  return {
    allowLoopback: false,
    ownAddresses: () => ['192.168.1.10', 'fd12:3456:789a::10', 'fe80::10'],
    ownPorts: () => [OWN_PORT],
    ...overrides,
  };
}

/** What a URL comes to as an address; the names in the table are what a resolver would have to answer. */
function refusalOfUrl(url: string, resolved?: string): string | null {
  const { hostname, port } = checkRequest({ url, method: 'GET', headers: {}, timeoutMs: 1 });
  return refusalOf(resolved ?? hostname, port, policy());
}

/** Spellings of places that nothing may be sent to. Those with a second word are names, which resolve to it. */
const REFUSED: readonly (readonly [url: string, resolved?: string])[] = [
  // 127.0.0.1 and its net
  ['http://127.0.0.1/'],
  ['http://127.0.0.1:8080/'],
  ['http://127.1/'],
  ['http://127.0.1/'],
  ['http://127.255.255.254/'],
  ['http://2130706433/'],
  ['http://0x7f000001/'],
  ['http://0x7f.0.0.1/'],
  ['http://0x7f.1/'],
  ['http://0X7F.0x0.0X0.0x1/'],
  ['http://0177.0.0.1/'],
  ['http://017700000001/'],
  ['http://0177.0000.0000.0001/'],
  ['http://127.0.0.1./'],
  ['http://%31%32%37.0.0.1/'],
  ['http://①②⑦.⓪.⓪.①/'],
  ['http://127。0。0。1/'],
  ['http://１２７.０.０.１/'],
  ['http://good.example@127.0.0.1/'],
  ['http://good.example:80@127.0.0.1:80/'],
  ['http://user:password@127.0.0.1/'],
  ['http://127.0.0.1#@good.example/'],
  ['http://127.0.0.1\\@good.example/'],
  ['http:127.0.0.1'],
  ['http:\\\\127.0.0.1\\'],
  ['http://\t127.0.0.1/'],
  // names of it
  ['http://localhost/', '127.0.0.1'],
  ['http://localhost./', '127.0.0.1'],
  ['http://LOCALHOST/', '::1'],
  ['http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', '127.0.0.1'],
  ['http://localtest.me/', '127.0.0.1'],
  ['http://127.0.0.1.nip.io/', '127.0.0.1'],
  ['http://bücher.example/', '127.0.0.53'],
  // IPv6
  ['http://[::1]/'],
  ['http://[0:0:0:0:0:0:0:1]/'],
  ['http://[::]/'],
  ['http://[::ffff:127.0.0.1]/'],
  ['http://[::ffff:7f00:1]/'],
  ['http://[0:0:0:0:0:ffff:127.0.0.1]/'],
  ['http://[::127.0.0.1]/'],
  ['http://[::ffff:0:127.0.0.1]/'],
  ['http://[64:ff9b::127.0.0.1]/'],
  ['http://[64:ff9b::7f00:1]/'],
  ['http://[64:ff9b:1::127.0.0.1]/'],
  ['http://[2002:7f00:1::]/'],
  ['http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/'], // Teredo of 127.0.0.1
  ['http://[2001:db8::5efe:127.0.0.1]/'],
  // unspecified
  ['http://0/'],
  ['http://0.0.0.0/'],
  ['http://0.1.2.3/'],
  ['http://[::ffff:0.0.0.0]/'],
  // link-local and metadata
  ['http://169.254.169.254/latest/meta-data/'],
  ['http://2852039166/'],
  ['http://0xa9fea9fe/'],
  ['http://0251.0376.0251.0376/'],
  ['http://[::ffff:169.254.169.254]/'],
  ['http://[64:ff9b::a9fe:a9fe]/'],
  ['http://[2002:a9fe:a9fe::1]/'],
  ['http://metadata.google.internal/', '169.254.169.254'],
  ['http://[fd00:ec2::254]/'],
  ['http://[fd20:ce::254]/'],
  ['http://100.100.100.200/'],
  ['http://[fe80::1]/'],
  ['http://printer.local/', 'fe80::1%eth0'],
  // many at once, or nobody
  ['http://224.0.0.251/'],
  ['http://255.255.255.255/'],
  ['http://240.0.0.1/'],
  ['http://[ff02::fb]/'],
  // the daemon itself
  ['http://192.168.1.10:5656/'],
  ['http://hearthd.local:5656/', '192.168.1.10'],
  ['http://[::ffff:192.168.1.10]:5656/'],
  ['http://[fd12:3456:789a::10]:5656/'],
  ['http://[fd12:3456:789a:0:0:0:0:0010]:5656/'],
];

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
  it.each(REFUSED.map(([url, resolved]) => ({ url, resolved })))('$url $resolved', ({ url, resolved }) => {
    expect(refusalOfUrl(url, resolved)).toEqual(expect.any(String));
  });

  it('is in a table of at least sixty spellings', () => {
    expect(new Set(REFUSED.map(([url]) => url)).size).toBe(REFUSED.length);
    expect(REFUSED.length).toBeGreaterThanOrEqual(60);
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

  it('is whatever is no address at all', () => {
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
});
