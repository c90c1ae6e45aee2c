import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support-tests/eventually.ts';
import { BridgeFixture, type BridgeOptions, LARGE_AID, LeapingClock } from './bridge-fixture.ts';
import { exchange } from './raw-requests.ts';

const opened: BridgeFixture[] = [];

async function start(options: BridgeOptions = {}): Promise<BridgeFixture> {
  const fixture = await BridgeFixture.start(options);
  opened.push(fixture);
  return fixture;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((fixture) => fixture.close()));
});

/** The body of a write. */
function writes(...items: readonly string[]): string {
  return `{"characteristics":[${items.map((item) => `{${item}}`).join()}]}`;
}

describe('PUT /characteristics', () => {
  it('writes values as the controller that is verified, ids of 64 bits exactly', async () => {
    const fixture = await start();
    const controller = fixture.addController();
    const client = await fixture.raw(controller);
    const body = writes('"aid":2,"iid":9,"value":true', `"aid":${LARGE_AID},"iid":10,"value":30`);
    expect(await exchange(client, 'PUT', '/characteristics', body)).toEqual({ status: 204, body: '' });
    expect(fixture.content.writes).toEqual([
      { controller: controller.id, aid: '2', iid: '9', value: true },
      { controller: controller.id, aid: LARGE_AID, iid: '10', value: 30 },
    ]);
  });

  it('passes one request on as one write, and answers each item on its own', async () => {
    const fixture = await start();
    const calls: number[] = [];
    fixture.content.onWrite = async (all) => {
      calls.push(all.length);
      return [0, -70402];
    };
    const items = [
      '"aid":2,"iid":9,"value":1',
      '"aid":2,"iid":10,"value":5',
      '"aid":2,"iid":3,"value":"x"',
      '"aid":2,"iid":99,"value":1',
      '"aid":2,"iid":11',
      '"aid":2,"iid":12,"value":null',
    ];
    const answer = await exchange(await fixture.raw(), 'PUT', '/characteristics', writes(...items));
    expect(answer.status).toBe(207);
    expect(JSON.parse(answer.body)).toEqual({
      characteristics: [
        { aid: 2, iid: 9, status: 0 },
        { aid: 2, iid: 10, status: -70402 },
        { aid: 2, iid: 3, status: -70404 },
        { aid: 2, iid: 99, status: -70409 },
        { aid: 2, iid: 11, status: -70410 },
        { aid: 2, iid: 12, status: -70410 },
      ],
    });
    expect(calls).toEqual([2]);
  });

  it('returns the value that a write response asks for, where the characteristic has one', async () => {
    const control = { format: 'tlv8', perms: ['pr', 'pw', 'wr'], value: '' };
    const characteristics = [
      { iid: 2, type: '143', ...control },
      { iid: 3, type: '144', ...control, perms: ['pr', 'pw'] },
    ];
    const fixture = await start({ accessories: [{ aid: 1, services: [{ iid: 1, type: '43', characteristics }] }] });
    const client = await fixture.raw();
    const body = writes('"aid":1,"iid":2,"value":"AQ==","r":true', '"aid":1,"iid":3,"value":"AQ==","r":true');
    expect(await exchange(client, 'PUT', '/characteristics', body)).toEqual({
      status: 207,
      body: '{"characteristics":[{"aid":1,"iid":2,"value":"AQ==","status":0},{"aid":1,"iid":3,"status":0}]}',
    });
    fixture.content.onWrite = async () => [{ value: 'Ag==' }, { value: 'Ag==' }];
    expect((await exchange(client, 'PUT', '/characteristics', body)).body).toContain(
      '"iid":2,"value":"Ag==","status":0',
    );
    const silent = writes('"aid":1,"iid":2,"value":"AQ=="');
    expect((await exchange(client, 'PUT', '/characteristics', silent)).status).toBe(204);
  });

  it.each([
    ['nothing', '', 400],
    ['text', 'garbage', 400],
    ['a list', '[]', 400],
    ['no characteristics', '{}', 400],
    ['a characteristic without an id', '{"characteristics":[{"aid":2,"value":1}]}', 400],
    ['a characteristic that is no object', '{"characteristics":[7]}', 400],
    ['a characteristic twice', writes('"aid":2,"iid":9,"value":1', '"aid":2,"iid":9,"value":0'), 422],
  ])('refuses %s', async (_what, body, status) => {
    const fixture = await start();
    expect(await exchange(await fixture.raw(), 'PUT', '/characteristics', body)).toEqual({
      status,
      body: '{"status":-70410}',
    });
    expect(fixture.content.writes).toEqual([]);
  });

  it('does not delay reads on other connections while a device is slow; its own connection answers in order', async () => {
    const fixture = await start();
    let finish = (_statuses: readonly number[]): void => {};
    fixture.content.onWrite = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const [writer, reader] = [await fixture.raw(), await fixture.raw()];
    writer.send('PUT', '/characteristics', writes('"aid":2,"iid":9,"value":1'));
    writer.send('GET', '/characteristics?id=2.10');
    await eventually(() => fixture.content.writes).toHaveLength(1);
    expect((await exchange(reader, 'GET', '/characteristics?id=2.10')).status).toBe(200);
    expect(writer.text).toBe('');
    finish([0]);
    await eventually(() => writer.text).toMatch(/^HTTP\/1\.1 204 No Content[\s\S]*HTTP\/1\.1 200 OK/);
  });

  it('answers with an error for a device that never does', async () => {
    // Nine seconds are 90 ms.
    const fixture = await start({ timersByFactor: 100 });
    fixture.content.onWrite = () => new Promise(() => {});
    const client = await fixture.raw();
    expect(await exchange(client, 'PUT', '/characteristics', writes('"aid":2,"iid":9,"value":1'))).toEqual({
      status: 207,
      body: '{"characteristics":[{"aid":2,"iid":9,"status":-70408}]}',
    });
    expect((await exchange(client, 'GET', '/characteristics?id=2.9')).status).toBe(200);
  });
});

describe('a timed write', () => {
  const PID = '11122333444555666777';
  const TARGET = '"aid":3,"iid":10,"value":1';
  const timed = (pid = PID, item = TARGET) => `{"characteristics":[{${item}}],"pid":${pid}}`;
  const refused = { status: 207, body: '{"characteristics":[{"aid":3,"iid":10,"status":-70410}]}' };

  it('is executed once, when it was prepared with the same pid', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    const put = (body: string) => exchange(client, 'PUT', '/characteristics', body);
    expect(await put(writes(TARGET))).toEqual(refused);
    expect(await put(timed())).toEqual(refused);
    expect(await exchange(client, 'PUT', '/prepare', `{"ttl":5000,"pid":${PID}}`)).toEqual({
      status: 200,
      body: '{"status":0}',
    });
    expect(await put(timed('7'))).toEqual(refused);
    expect(await put(timed())).toEqual({ status: 204, body: '' });
    expect(await put(timed())).toEqual(refused);
    expect(fixture.content.writes).toHaveLength(1);
  });

  it('is refused when its time is over, and on another connection', async () => {
    const clock = new LeapingClock();
    const fixture = await start({ clock });
    const [client, other] = [await fixture.raw(), await fixture.raw()];
    await exchange(client, 'PUT', '/prepare', `{"ttl":5000,"pid":${PID}}`);
    expect(await exchange(other, 'PUT', '/characteristics', timed())).toEqual(refused);
    clock.leap(5_001);
    expect(await exchange(client, 'PUT', '/characteristics', timed())).toEqual(refused);
    expect(fixture.content.writes).toEqual([]);
  });

  it.each(['', '{}', '{"ttl":5000}', '{"pid":1}', '{"ttl":"x","pid":1}', '{"ttl":0,"pid":1}', '[]'])(
    'is not prepared by %j',
    async (body) => {
      const fixture = await start();
      expect(await exchange(await fixture.raw(), 'PUT', '/prepare', body)).toEqual({
        status: 400,
        body: '{"status":-70410}',
      });
    },
  );
});
