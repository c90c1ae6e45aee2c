import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Broker } from '../../../src/app/mqtt/broker.ts';
import { NewBroker } from '../../../src/contract/mqtt.ts';
import { parseInput } from '../../../src/contract/parse.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { createTestHome, systemCaller, type TestHome, type TestHomeOptions } from '../../support/test-home.ts';

const BROKER = { name: 'Mosquitto', host: 'broker.local' };
const CA = readFileSync(resolve(import.meta.dirname, '../../api/fixtures/first.cert.pem'), 'utf8');
const KEY = readFileSync(resolve(import.meta.dirname, '../../api/fixtures/first.key.pem'), 'utf8');

let home: TestHome;
afterEach(() => home?.close());

function open(options: TestHomeOptions = {}) {
  home = createTestHome(options);
  const { brokers } = home;
  return {
    brokers,
    homeId: home.home.id,
    add: (input: Partial<NewBroker> = {}) => brokers.add(systemCaller, home.home.id, { ...BROKER, ...input }),
    kept: (id: string): Broker | undefined => brokers.active().find((broker) => broker.id === id),
  };
}

const parse = (input: unknown) => parseInput(NewBroker, input);

function codeOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error instanceof HearthError ? error.code : error;
  }
  return 'done';
}

/** Spellings of hosts that are not taken, by what is wrong with them. */
const BAD_HOSTS: Readonly<Record<string, readonly string[]>> = {
  'a scheme': ['mqtt://broker.local', 'mqtts://broker.local', 'http://broker.local', 'MQTT://BROKER'],
  credentials: ['ada:secret@broker.local', 'ada@broker.local', '@broker.local'],
  'a path': ['broker.local/', 'broker.local/topic', 'broker.local?x=1', 'broker.local#x', 'broker\\local'],
  'a port': ['broker.local:1883', '127.0.0.1:1883', '[::1]:1883', 'localhost:0'],
  'odd numbers for an address': [
    ...['127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.0.0.1', '017700000001', '0177.0.0.1', '127.0.0.01'],
    ...['1.2.3.4.5', '256.1.1.1', '0x', '127.0.0.0x1'],
  ],
  'no computer': [
    ...['0.0.0.0', '0.1.2.3', '::', '[::]', '255.255.255.255', '224.0.0.1', '239.255.255.250', 'ff02::1'],
    ...['::ffff:0.0.0.0', '[::ffff:0:0]', '::ffff:224.0.0.251', '0:0:0:0:0:ffff:e000:fb', '::FFFF:255.255.255.255'],
  ],
  'no name': ['', ' ', '.', '..', 'a..b', '-broker', 'broker-', 'bro ker', 'bröker.local', 'broker.local.', '%', '*'],
  'control characters': ['broker\0.local', 'broker\n.local', 'broker\u202e.local', 'a\tb'],
  'too much': ['a'.repeat(64), `${'a.'.repeat(127)}abc`, 'x'.repeat(10_000)],
};

const BAD_FIELDS: readonly (readonly [field: string, values: readonly unknown[]])[] = [
  ['name', ['', '   ', 'a'.repeat(65), 'a\nb', 7, {}]],
  ['host', [7, {}, [], true]],
  ['port', [0, -1, 65_536, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1883', true, {}]],
  ['username', ['a'.repeat(257), 'a\0b', 'a\nb', 7, {}]],
  ['password', ['a'.repeat(1_025), 'a\0b', 7, {}]],
  ['useTls', ['true', 1, {}]],
  ['topicPrefix', ['', '/', '/a', 'a/', 'a//b', 'a/+/b', '#', 'a/#', '$SYS', 'a/$b', 'a b', 'a\0', 'é'.repeat(101), 7]],
  ['haDiscoveryPrefix', ['', 'home/', '/home', '+', '#', '$x', 'a\nb', 'x'.repeat(201), {}]],
  ['haDiscovery', ['yes', 1]],
  ['enabled', ['yes', 0]],
  [
    'ca',
    [
      '',
      'no certificate',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      CA + KEY,
      KEY,
      'x'.repeat(70_000),
      7,
    ],
  ],
];

describe('a broker as people describe it', () => {
  it.each(Object.entries(BAD_HOSTS))('has no host with %s', (_, hosts) => {
    for (const host of hosts)
      expect(
        codeOf(() => parse({ ...BROKER, host })),
        JSON.stringify(host),
      ).toBe('invalid_value');
  });

  it.each([
    ['broker.local', 'broker.local'],
    [' Broker.LOCAL ', 'broker.local'],
    ['my_broker', 'my_broker'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['192.168.1.10', '192.168.1.10'],
    ['[::1]', '::1'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
  ])('may be at %s', (host, kept) => {
    expect(parse({ ...BROKER, host }).host).toBe(kept);
  });

  it.each(BAD_FIELDS)('has no such %s', (field, values) => {
    for (const value of values) {
      const input = { ...BROKER, useTls: true, username: 'ada', [field]: value };
      const isNone = field === 'ca' && value === '';
      expect(
        codeOf(() => parse(input)),
        `${field} ${JSON.stringify(value)?.slice(0, 60)}`,
      ).toBe(isNone ? 'done' : 'invalid_value');
    }
  });

  it('has the usual ports, prefixes and Home Assistant discovery by default', () => {
    const { add, kept } = open();
    expect(kept(add().id)).toMatchObject({
      ...{ ...BROKER, port: 1883, username: null, password: null, useTls: false, ca: null, enabled: true },
      ...{ topicPrefix: 'homecast', haDiscovery: true, haDiscoveryPrefix: 'homeassistant' },
    });
    expect(add({ name: 'With TLS', useTls: true, ca: CA }).port).toBe(8883);
  });

  it('needs a user name for a password, and TLS for certificates', () => {
    const { add } = open();
    expect(codeOf(() => add({ password: 'secret' }))).toBe('invalid_value');
    expect(codeOf(() => add({ ca: CA }))).toBe('invalid_value');
  });

  it('is refused with a sentence, for every input', () => {
    fc.assert(
      fc.property(
        fc.record(
          Object.fromEntries(
            ['name', 'host', 'port', 'topicPrefix', 'ca', 'username'].map((key) => [key, fc.anything()]),
          ),
          { requiredKeys: [] },
        ),
        (input) => {
          expect(['done', 'invalid_value', 'invalid_request']).toContain(codeOf(() => parse(input)));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('brokers of a home', () => {
  it('are kept over a restart, and go with their home', () => {
    const { add, brokers, homeId } = open();
    const { id } = add({ username: 'ada', password: 'secret' });
    brokers.setEnabled(systemCaller, homeId, false);
    brokers.stop();
    brokers.start();
    expect(brokers.get(systemCaller, id)).toMatchObject({ ...BROKER, hasPassword: true, status: 'disabled' });
    expect(brokers.isEnabled(systemCaller, homeId)).toBe(false);
    const other = home.homes.create(systemCaller, { name: 'Cabin' });
    const there = brokers.add(systemCaller, other.id, BROKER);
    home.homes.delete(systemCaller, other.id);
    expect(codeOf(() => brokers.get(systemCaller, there.id))).toBe('broker_not_found');
  });

  it('may be on this very computer, but not where hearthd itself listens', () => {
    const { add, brokers } = open();
    expect(codeOf(() => add({ host: '127.0.0.1', port: 5656 }))).toBe('invalid_value');
    const { id } = add({ host: '127.0.0.1' });
    expect(codeOf(() => brokers.update(systemCaller, id, { port: 5656 }))).toBe('invalid_value');
    expect(brokers.get(systemCaller, id).port).toBe(1883);
  });

  it('are reported to listeners, each time that something changes', () => {
    const { add, brokers, homeId, kept } = open();
    let changes = 0;
    const unsubscribe = brokers.onChange(() => {
      changes += 1;
    });
    const { id } = add();
    const before = kept(id);
    brokers.update(systemCaller, id, { enabled: false });
    expect(kept(id)).toBeUndefined();
    brokers.update(systemCaller, id, { enabled: true, haDiscovery: false });
    expect(kept(id)).not.toBe(before);
    brokers.setEnabled(systemCaller, homeId, false);
    brokers.setEnabled(systemCaller, homeId, false);
    expect([brokers.active(), brokers.isPublished(homeId)]).toEqual([[], false]);
    brokers.setEnabled(systemCaller, homeId, true);
    brokers.remove(systemCaller, id);
    expect(changes).toBe(6);
    unsubscribe();
    add();
    expect(changes).toBe(6);
  });

  it('do not fight over topics, and are any number up to a hundred', () => {
    const { add, brokers } = open();
    const { id } = add();
    expect(codeOf(() => add())).toBe('conflict'); // the name
    expect(codeOf(() => add({ name: 'Same topics', host: 'BROKER.local' }))).toBe('conflict');
    expect(codeOf(() => add({ name: 'Same devices', topicPrefix: 'other' }))).toBe('conflict');
    const second = add({ name: 'Other topics', topicPrefix: 'other', haDiscovery: false });
    expect(codeOf(() => brokers.update(systemCaller, second.id, { haDiscovery: true }))).toBe('conflict');
    expect(codeOf(() => brokers.update(systemCaller, id, { topicPrefix: 'homecast' }))).toBe('done');
    for (let n = 3; n <= 100; n += 1) add({ name: `Broker ${n}`, port: 2_000 + n });
    expect(codeOf(() => add({ name: 'Broker 101', port: 3_000 }))).toBe('conflict');
  });

  it.each<[string, Partial<NewBroker>]>([
    ['another host', { host: 'evil.example' }],
    ['another port', { port: 1_884 }],
    ['no encryption', { useTls: false, ca: null }],
    ['other certificates', { ca: null }],
  ])('send a password nowhere that it was not given for: %s', (_, change) => {
    const { add, brokers, kept } = open();
    const { id } = add({ useTls: true, port: 1883, ca: CA, username: 'ada', password: 'secret' });
    expect(codeOf(() => brokers.update(systemCaller, id, change))).toBe('invalid_request');
    expect(kept(id)).toMatchObject({ host: 'broker.local', password: 'secret' });
    brokers.update(systemCaller, id, { ...change, password: 'another' });
    expect(kept(id)).toMatchObject({ password: 'another' });
  });

  it('keep their password if it is left out, and lose it if it is removed', () => {
    const { add, brokers, kept } = open();
    const { id } = add({ username: 'ada', password: 'secret' });
    brokers.update(systemCaller, id, { name: 'Renamed' });
    expect(kept(id)?.password).toBe('secret');
    expect(brokers.update(systemCaller, id, { password: null }).hasPassword).toBe(false);
  });

  it('have the configured one in every home under its name, unless a user has added the same', () => {
    const configured = {
      host: 'broker.local',
      port: 1883,
      username: 'ada',
      password: 'secret',
      useTls: false,
      ca: null,
    };
    const { add, brokers, homeId } = open({ configuredBroker: configured });
    home.homes.create(systemCaller, { name: 'Cabin' });
    const active = brokers.active().map(({ name, isConfigured }) => [name, isConfigured]);
    // Homes made at the same moment are in no particular order.
    expect(active).toHaveLength(2);
    expect(active).toEqual(
      expect.arrayContaining([
        ['Cabin', true],
        [home.home.name, true],
      ]),
    );
    const [shown] = brokers.list(systemCaller, homeId);
    expect(shown).toMatchObject({ isConfigured: true, hasPassword: true });
    const id = shown?.id ?? '';
    expect(codeOf(() => brokers.update(systemCaller, id, { enabled: false }))).toBe('conflict');
    expect(codeOf(() => brokers.remove(systemCaller, id))).toBe('conflict');
    add();
    expect(brokers.list(systemCaller, homeId).map(({ name }) => name)).toEqual(['Mosquitto']);
  });
});
