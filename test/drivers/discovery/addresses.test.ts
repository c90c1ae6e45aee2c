import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReceivedAddress, rankAddresses } from '../../../src/drivers/discovery/addresses.ts';

const received = (address: string, overrides: Partial<ReceivedAddress> = {}): ReceivedAddress => ({
  address,
  interfaceName: 'eth0',
  loopback: false,
  sender: '192.0.2.10',
  since: 0,
  ...overrides,
});
const rank = (...addresses: readonly string[]) => rankAddresses(addresses.map((address) => received(address)));

describe('Which address to try first', () => {
  it('IPv4, then global and unique-local IPv6, then link-local with its zone, in any order of arrival', () => {
    const all = ['fe80::1', '2001:db8::1', 'fd00::1', '192.0.2.10', '169.254.3.4'];
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(rank(...shuffled)).toEqual(['192.0.2.10', '2001:db8::1', 'fd00::1', '169.254.3.4', 'fe80::1%eth0']);
      }),
    );
  });

  it('the address its owner spoke from comes before others, such as that of a container bridge', () => {
    expect(rank('172.17.0.1', '192.0.2.10', '10.0.0.1')[0]).toBe('192.0.2.10');
  });

  it('among equals the newest comes first', () => {
    const addresses = [received('192.0.2.20', { since: 1 }), received('192.0.2.30', { since: 2 })];
    expect(rankAddresses(addresses)).toEqual(['192.0.2.30', '192.0.2.20']);
  });

  it('addresses that no other host can own are left out', () => {
    expect(
      rank('0.0.0.0', '::', '127.0.0.1', '::1', '224.0.0.251', 'ff02::fb', '255.255.255.255', '::ffff:1.2.3.4'),
    ).toEqual([]);
  });

  it('on the loopback interface, loopback addresses count', () => {
    const addresses = ['::1', '127.0.0.1'].map((address) => received(address, { loopback: true, sender: '127.0.0.1' }));
    expect(rankAddresses(addresses)).toEqual(['127.0.0.1', '::1']);
  });

  it('one address received twice is one address', () => {
    expect(rank('192.0.2.10', '192.0.2.10')).toEqual(['192.0.2.10']);
  });
});
