import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FoundService } from '../../../src/home/service-search.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';

const MOSQUITTO: FoundService = {
  kind: 'mqtt',
  name: 'Mosquitto',
  addresses: ['192.168.1.10', 'fd00::10'],
  port: 1883,
};
let home: TestHome;
let searches: number;
let answer: readonly FoundService[];

beforeEach(() => {
  searches = 0;
  answer = [MOSQUITTO];
  const search = async () => {
    searches += 1;
    return answer;
  };
  home = createTestHome({ services: { search } });
});
afterEach(() => home.close());

describe('brokers that are found on the network', () => {
  it('are shown with the address to add them by', async () => {
    expect(await home.brokerSearch.find(systemCaller, home.home.id)).toEqual([
      { ...MOSQUITTO, host: '192.168.1.10', isAdded: false },
    ]);
  });

  it('are marked if the home has them, by any of their addresses', async () => {
    const isAdded = async () => (await home.brokerSearch.find(systemCaller, home.home.id)).map((one) => one.isAdded);
    const { id } = home.brokers.add(systemCaller, home.home.id, { name: 'A', host: '192.168.1.10', port: 1884 });
    expect(await isAdded()).toEqual([false]);
    home.brokers.update(systemCaller, id, { host: 'fd00::10', port: 1883 });
    expect(await isAdded()).toEqual([true]);
  });

  it('have no address that a broker could not be added with', async () => {
    answer = [
      { ...MOSQUITTO, addresses: ['192.168.1.10/@evil.example', '', '::', '10.0.0.7'] },
      { ...MOSQUITTO, addresses: ['not an address'] },
    ];
    expect(await home.brokerSearch.find(systemCaller, home.home.id)).toMatchObject([
      { host: '10.0.0.7', addresses: ['10.0.0.7'] },
    ]);
  });

  it('are looked for only on behalf of an admin of the home', async () => {
    for (const caller of [tokenCaller({ [home.home.id]: 'control' }), tokenCaller({})]) {
      await expect(home.brokerSearch.find(caller, home.home.id)).rejects.toThrow();
    }
    await expect(home.brokerSearch.find(systemCaller, 'none')).rejects.toThrow();
    expect(searches).toBe(0);
    await home.brokerSearch.find(tokenCaller(), home.home.id);
    expect(searches).toBe(1);
  });
});
