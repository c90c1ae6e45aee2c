import { afterEach, describe, expect, it } from 'vitest';
import type { BridgeWrite } from '../../../src/home/publication-port.ts';
import { eventually } from '../../support-tests/eventually.ts';
import type { RawClient } from '../../support-tests/raw-client.ts';
import { BridgeFixture, type BridgeOptions } from './bridge-fixture.ts';
import { exchange } from './raw-requests.ts';

const opened: BridgeFixture[] = [];
const EVENT =
  /EVENT\/1\.0 200 OK\r\nContent-Type: application\/hap\+json\r\nContent-Length: \d+\r\n\r\n(\{[^\r]*?\]\})/g;

async function start(options: BridgeOptions = {}): Promise<BridgeFixture> {
  const fixture = await BridgeFixture.start(options);
  opened.push(fixture);
  return fixture;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((fixture) => fixture.close()));
});

function subscribe(client: RawClient, aid: number | string, ...iids: readonly number[]) {
  const items = iids.map((iid) => `{"aid":${aid},"iid":${iid},"ev":true}`);
  return exchange(client, 'PUT', '/characteristics', `{"characteristics":[${items.join()}]}`);
}

const write = (client: RawClient, iid: number, value: unknown) =>
  exchange(client, 'PUT', '/characteristics', `{"characteristics":[{"aid":2,"iid":${iid},"value":${value}}]}`);

/** The values of each event, as `iid=value`, from the oldest of a message to its latest. */
function eventsOf(client: RawClient): string[][] {
  return [...client.text.matchAll(EVENT)].map(([, body = '']) =>
    (JSON.parse(body) as { characteristics: { iid: number; value: unknown }[] }).characteristics
      .map(({ iid, value }) => `${iid}=${value}`)
      .reverse(),
  );
}

describe('events', () => {
  it('reach subscribed connections only, as HAP-NodeJS writes them', async () => {
    const fixture = await start();
    const [subscriber, other] = [await fixture.raw(), await fixture.raw()];
    expect((await subscribe(subscriber, 2, 9)).status).toBe(204);
    subscriber.clear();
    fixture.content.set('2', '10', 77);
    fixture.content.set('2', '9', true);
    await eventually(() => subscriber.text).toBe(
      'EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: 49\r\n\r\n{"characteristics":[{"aid":2,"iid":9,"value":1}]}',
    );
    expect((await exchange(other, 'GET', '/characteristics?id=2.9&ev=1')).body).toContain('"value":1,"ev":false');
    expect(other.text).not.toContain('EVENT');
  });

  it('end with the subscription', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    await subscribe(client, 2, 9, 10);
    await exchange(client, 'PUT', '/characteristics', '{"characteristics":[{"aid":2,"iid":9,"ev":false}]}');
    client.clear();
    fixture.content.set('2', '9', true);
    fixture.content.set('2', '10', 1);
    await eventually(() => eventsOf(client)).toEqual([['10=1']]);
  });

  it('can’t be had for a characteristic without them', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    expect(await subscribe(client, 2, 3, 9)).toEqual({
      status: 207,
      body: '{"characteristics":[{"aid":2,"iid":3,"status":-70406},{"aid":2,"iid":9,"status":0}]}',
    });
    fixture.content.set('2', '9', true);
    await eventually(() => eventsOf(client)).toEqual([['9=1']]);
  });

  it('of one turn leave in one message, without repeated values', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    await subscribe(client, 2, 9, 10, 11);
    fixture.content.set('2', '9', true);
    fixture.content.set('2', '10', 20);
    fixture.content.set('2', '10', 20);
    fixture.content.set('2', '11', 5);
    await eventually(() => eventsOf(client)).toEqual([['9=1', '10=20', '11=5']]);
  });

  it('hold each characteristic once a message: two values of a turn are two messages, in order', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    await subscribe(client, 2, 9, 10);
    fixture.content.set('2', '9', true);
    fixture.content.set('2', '10', 20);
    fixture.content.set('2', '9', false);
    await eventually(() => eventsOf(client)).toEqual([['9=1', '10=20'], ['9=0']]);
  });

  it('of a button are never merged', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    await subscribe(client, 3, 13);
    for (const press of [0, 0, 0]) fixture.content.set('3', '13', press);
    await eventually(() => eventsOf(client)).toEqual([['13=0'], ['13=0'], ['13=0']]);
  });

  it('do not go to the connection that wrote the value', async () => {
    const fixture = await start();
    const [writer, other] = [await fixture.raw(), await fixture.raw()];
    await Promise.all([subscribe(writer, 2, 9, 10), subscribe(other, 2, 9, 10)]);
    await write(writer, 9, true);
    await write(writer, 10, 30);
    await eventually(() => eventsOf(other)).toEqual([['9=1'], ['10=30']]);
    expect(eventsOf(writer)).toEqual([]);
    // What another one writes then is news.
    await write(other, 9, false);
    await eventually(() => eventsOf(writer)).toEqual([['9=0']]);
  });

  it('go to a controller that wrote the same value before it subscribed', async () => {
    const fixture = await start();
    const writer = await fixture.raw();
    await write(writer, 9, true);
    fixture.content.set('2', '9', false);
    await subscribe(writer, 2, 9);
    fixture.content.set('2', '9', true);
    await eventually(() => eventsOf(writer)).toEqual([['9=1']]);
  });

  it('do not go to the writer either when the device reports the value after the answer', async () => {
    const fixture = await start();
    const [writer, other] = [await fixture.raw(), await fixture.raw()];
    await Promise.all([subscribe(writer, 2, 9), subscribe(other, 2, 9)]);
    fixture.content.onWrite = async (all) => all.map(() => 0);
    await write(writer, 9, true);
    fixture.content.set('2', '9', true);
    fixture.content.set('2', '9', false);
    await eventually(() => eventsOf(other)).toEqual([['9=1'], ['9=0']]);
    await eventually(() => eventsOf(writer)).toEqual([['9=0']]);
  });

  it('go to the writer when its write failed, or had another effect', async () => {
    const fixture = await start();
    const writer = await fixture.raw();
    await subscribe(writer, 2, 9, 10);
    fixture.content.onWrite = async (all: readonly BridgeWrite[]) => {
      if (all[0]?.iid === '10') fixture.content.set('2', '10', 42);
      return all.map(({ iid }) => (iid === '9' ? -70402 : 0));
    };
    await write(writer, 9, true);
    fixture.content.set('2', '9', true);
    await eventually(() => eventsOf(writer)).toEqual([['9=1']]);
    await write(writer, 10, 50);
    await eventually(() => eventsOf(writer)).toEqual([['10=42']]);
  });

  it('wait for an answer that is owed, but not for a slow device', async () => {
    const fixture = await start();
    let finish = (_statuses: readonly number[]): void => {};
    fixture.content.onWrite = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const client = await fixture.raw();
    await subscribe(client, 2, 9, 10);
    client.clear();
    client.send('PUT', '/characteristics', '{"characteristics":[{"aid":2,"iid":9,"value":true}]}');
    await eventually(() => fixture.content.writes).toHaveLength(1);
    fixture.content.set('2', '10', 10);
    finish([0]);
    await eventually(() => client.text).toMatch(/^HTTP\/1\.1 204 [\s\S]*\r\n\r\nEVENT/);
    client.clear();
    client.send('PUT', '/characteristics', '{"characteristics":[{"aid":2,"iid":9,"value":true}]}');
    await eventually(() => fixture.content.writes).toHaveLength(2);
    fixture.content.set('2', '10', 20);
    await eventually(() => client.text).toMatch(/^EVENT[^\r]*\r\n/);
    finish([0]);
    await eventually(() => client.text).toMatch(/^EVENT[\s\S]*HTTP\/1\.1 204 /);
  });

  it('reach hap-controller, from changes and writes of another controller', async () => {
    const fixture = await start();
    const admin = await fixture.pairedClient();
    const seen: unknown[] = [];
    admin.on('event', ({ characteristics }) =>
      seen.push(...characteristics.map(({ value }: { value: unknown }) => value)),
    );
    await admin.subscribeCharacteristics(['2.10']);
    fixture.content.set('2', '10', 11);
    await eventually(() => seen).toEqual([11]);
    await write(await fixture.raw(), 10, 12);
    await eventually(() => seen).toEqual([11, 12]);
    await admin.setCharacteristics({ '2.9': true });
    expect(fixture.content.values.get('2.9')).toBe(true);
  });

  it('of 10,000 changes leave in order on one connection, none lost', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    await subscribe(client, 3, 13);
    await subscribe(client, 2, 10);
    for (let n = 0; n < 10_000; n += 1) {
      fixture.content.set('2', '10', n);
      if (n % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
    }
    await eventually(() => eventsOf(client).length).toBe(10_000);
    expect(eventsOf(client)).toEqual(Array.from({ length: 10_000 }, (_, n) => [`10=${n}`]));
  });
});

describe('a subscriber that does not read', () => {
  it('is closed, while others get their events', async () => {
    const fixture = await start();
    const [silent, client] = [await fixture.raw(), await fixture.raw()];
    await subscribe(silent, 3, 13);
    await subscribe(client, 3, 13);
    silent.socket.pause();
    for (let n = 0; fixture.server.connections().length === 2; n += 1) {
      fixture.content.set('3', '13', n % 3);
      if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (n > 1_000_000) throw new Error('It is still connected');
    }
    expect(fixture.server.connections()).toHaveLength(1);
    client.clear();
    await new Promise((resolve) => setImmediate(resolve));
    fixture.content.set('3', '13', 2);
    await eventually(() => eventsOf(client).at(-1)).toEqual(['13=2']);
  });
});
