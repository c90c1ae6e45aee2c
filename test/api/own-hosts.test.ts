import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { machineHosts } from '../../src/api/own-hosts.ts';
import { TestClock } from '../support/test-clock.ts';

describe('the names of this machine', () => {
  it('are localhost, its host name with and without .local, and the addresses of its interfaces', () => {
    const hosts = machineHosts(new TestClock())();
    const [first] = hostname().toLowerCase().split('.');
    for (const name of ['localhost', '127.0.0.1', hostname().toLowerCase(), first, `${first}.local`]) {
      expect(hosts).toContain(name);
    }
  });

  it('are looked up again after a while, for addresses change', async () => {
    const clock = new TestClock();
    const ask = machineHosts(clock);
    const first = ask();
    expect(ask()).toBe(first);
    await clock.advance(5_000);
    expect(ask()).not.toBe(first);
  });
});
