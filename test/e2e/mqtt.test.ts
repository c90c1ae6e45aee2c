/**
 * A whole relay with a genuine HAP-NodeJS server on one side and real brokers on the other: with TLS, a password and
 * plain.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Logger } from '../../src/kernel/logger.ts';
import { type ReplayAccessory, startReplayAccessory } from '../support/accessories/replay-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { certificate, Onlooker, TestBroker, until } from '../support/mqtt-broker.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

const PASSWORD = 'correct horse battery';
const WRONG_PASSWORD = 'hunter2-hunter2';
const TLS = certificate();

let directory: TempDirectory;
let relay: E2eRelay;
let lamp: ReplayAccessory;
let secured: TestBroker;
let onlooker: Onlooker;
const lines: string[] = [];

const note = (fields: object, message: string): void => {
  lines.push(JSON.stringify(fields) + message);
};
const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };

beforeAll(async () => {
  directory = createTempDirectory('mqtt-e2e');
  lamp = await startReplayAccessory({
    database: [lampAccessory('Kitchen Lamp')],
    name: 'Kitchen Lamp',
    mdns: false,
    paired: [KNOWN_CONTROLLER],
  });
  sharePairings(directory, [lamp]);
  secured = await TestBroker.start({ tls: TLS, credentials: { username: 'house', password: PASSWORD } });
  onlooker = await Onlooker.start(secured, { username: 'house', password: PASSWORD });
  relay = await E2eRelay.start({
    directory,
    overrides: { logger },
    config: {
      mqtt: {
        ...{ host: 'localhost', port: secured.port, username: 'house', password: PASSWORD },
        ...{ useTls: true, ca: TLS.path },
      },
    },
  });
  await relay.untilStatus(lamp.deviceId, 'connected');
});

afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  await onlooker.stop();
  await Promise.all([lamp.stop(), secured.stop()]);
  directory.remove();
});

const topicOf = (): string | undefined => onlooker.topics().find((topic) => /\/kitchen-lamp-[0-9a-f]{4}$/.test(topic));

describe('a home on the broker of the configuration', () => {
  it('is published over TLS and announced to Home Assistant; a command there reaches the lamp, and its changes are published there', async () => {
    const topic = (await until(topicOf)) as string;
    await until(() => onlooker.last(`${topic}/availability`) === 'online');
    await until(() => onlooker.topics().some((one) => /^homeassistant\/light\/homecast_[0-9a-f]{8}\//.test(one)));
    await onlooker.send(`${topic}/set`, { on: true, brightness: 30 });
    await until(() => onlooker.json(topic)?.brightness === 30);
    expect(onlooker.json(topic)?.on).toBe(true);
    expect(lamp.requests.filter((request) => request.startsWith('PUT /characteristics')).length).toBeGreaterThan(0);
    await relay.set('Kitchen Lamp', { brightness: 60 });
    await until(() => onlooker.json(topic)?.brightness === 60);
  });

  it('can be on others too, each by itself; one that refuses the password is named, without it, in answers and in the log', async () => {
    const guarded = await TestBroker.start({ credentials: { username: 'house', password: PASSWORD } });
    const [{ id: homeId }] = (await relay.get('/rest/homes')).body;
    const brokers = `/rest/homes/${homeId}/mqtt/brokers`;
    const settings = { name: 'Guarded', host: '127.0.0.1', port: guarded.port, username: 'house' };
    const { body } = await relay.asSystem('POST', brokers, { ...settings, password: WRONG_PASSWORD });
    const ask = async () => (await relay.asSystem('GET', `${brokers}/${body.id}`)).body;
    let answer = await ask();
    for (let tries = 0; answer.status !== 'error' && tries < 400; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      answer = await ask();
    }
    expect(answer).toMatchObject({ status: 'error', hasPassword: true, error: expect.stringMatching(/password/) });
    expect(JSON.stringify(answer)).not.toContain(WRONG_PASSWORD);
    await relay.asSystem('PATCH', `${brokers}/${body.id}`, { password: PASSWORD });
    await until(() => guarded.published.some(({ payload }) => payload === 'online'));
    await relay.asSystem('DELETE', `${brokers}/${body.id}`);
    await until(() => guarded.connections === 0);
    const last = new Map(
      guarded.published.filter(({ retain }) => retain).map(({ topic, payload }) => [topic, payload]),
    );
    expect(last.size).toBeGreaterThan(3);
    expect([...last.values()].filter((payload) => payload !== '')).toEqual([]);
    expect(lines.filter((line) => line.includes('MQTT broker')).length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes(WRONG_PASSWORD) || line.includes(PASSWORD))).toEqual([]);
    await guarded.stop();
  });

  it('is offline there as soon as the relay stops', async () => {
    const topic = (await until(topicOf)) as string;
    const status = `${topic.split('/').slice(0, 2).join('/')}/status`;
    expect(onlooker.last(status)).toBe('online');
    await relay.stop();
    await until(() => onlooker.last(status) === 'offline');
  });
});
