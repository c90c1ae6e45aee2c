import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FoundService } from '../../src/home/service-search.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;
/** What answers on the network. */
let found: readonly FoundService[] = [];

beforeEach(async () => {
  daemon = await startDaemon({ services: { search: async () => found } });
});
afterEach(() => daemon.stop());

describe('hearthd mqtt', () => {
  it('adds, shows, changes and removes a broker', async () => {
    const hearthd = (...args: string[]) => daemon.hearthd('mqtt', ...args);
    expect((await hearthd('list')).err).toContain('No brokers');
    const added = await hearthd('add', 'Mosquitto', 'broker.local', '--topic-prefix', 'house/one');
    expect(added.out).toMatch(/^Added the broker Mosquitto \(/);
    expect((await hearthd('list')).out).toContain('broker.local:1883');
    expect((await hearthd('status')).out).toMatch(/My Home: 0 of 1 connected/);
    expect((await hearthd('update', 'mosquitto', '--name', 'Kitchen', '--port', '1884')).out).toContain('Kitchen');
    expect(JSON.parse((await hearthd('list', '--json')).out)).toMatchObject([{ name: 'Kitchen', port: 1884 }]);
    expect((await hearthd('disable')).out).toBe('My Home is unpublished from all its brokers.\n');
    expect((await hearthd('status')).out).toContain('hearthd mqtt enable');
    expect((await hearthd('enable')).out).toBe('My Home is published to its brokers.\n');
    const test = await hearthd('test', 'Kitchen');
    expect([test.code, test.out]).toEqual([1, 'There is no network in this test.\n']);
    expect((await hearthd('remove', 'Kitchen')).out).toBe('Removed the broker Kitchen.\n');
  });

  it('looks for brokers, and shows how to add one', async () => {
    const discover = async (services: readonly FoundService[], ...args: string[]) => {
      found = services;
      return daemon.hearthd('mqtt', 'discover', ...args);
    };
    const home: FoundService = { kind: 'home_assistant', name: 'Home', addresses: ['192.168.1.20'], port: 8123 };
    expect((await discover([])).err).toContain('No broker announces itself');
    expect((await discover([home])).err).toContain('Install the Mosquitto add-on');
    const broker: FoundService = { kind: 'secure_mqtt', name: 'Vault', addresses: ['fd00::10'], port: 8883 };
    const { out, err } = await discover([broker, home]);
    expect(out).toMatch(/broker with TLS +Vault +\[fd00::10\]:8883\n.*Home Assistant +Home +192\.168\.1\.20:8123/);
    expect(err).toContain('hearthd mqtt add <name> <host>');
    expect(JSON.parse((await discover([broker], '--json')).out)).toMatchObject([{ host: 'fd00::10', isAdded: false }]);
  });

  it('reports what is wrong before anything is changed', async () => {
    const refused = async (...args: string[]) => (await daemon.hearthd('mqtt', ...args)).err;
    expect(await refused('add', 'A', 'mqtt://broker.local')).toContain('without a scheme');
    expect(await refused('add', 'A', 'broker.local', '--ca', '/nowhere.pem')).toContain('Cannot read');
    expect(await refused('add', 'A', 'broker.local', '--username', 'ada', '--password')).toContain('--password-stdin');
    expect(await refused('update', 'A', '--enable', '--disable')).toContain('Pass either');
    expect(await refused('update', 'A')).toContain('Pass at least one option');
    expect(await refused('remove', 'A')).toContain('hearthd mqtt list lists them');
  });
});
