import { afterEach, describe, expect, it } from 'vitest';
import { lampAccessory } from '../../support/accessories/sample-databases.ts';
import { eventually } from '../../support-tests/eventually.ts';
import { BridgeFixture, type BridgeOptions, LARGE_AID } from './bridge-fixture.ts';
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

describe('GET /accessories', () => {
  it('describes every accessory with its values, and ids of 64 bits exactly', async () => {
    const fixture = await start();
    const { status, body } = await exchange(await fixture.raw(), 'GET', '/accessories');
    expect(status).toBe(200);
    expect(body).toContain(`"aid":${LARGE_AID},`);
    const { accessories } = JSON.parse(body) as { accessories: { services: { characteristics: object[] }[] }[] };
    expect(accessories).toHaveLength(4);
    expect(accessories[1]?.services[1]?.characteristics.slice(0, 2)).toEqual([
      { type: '25', iid: 9, value: 0, perms: ['pr', 'pw', 'ev'], format: 'bool' },
      {
        ...{ type: '8', iid: 10, value: 50, perms: ['pr', 'pw', 'ev'], format: 'int', unit: 'percentage' },
        ...{ minValue: 0, maxValue: 100, minStep: 1 },
      },
    ]);
  });

  it('has valid values for an accessory that can’t be reached, none for what can’t be read, null for a button', async () => {
    const fixture = await start();
    fixture.content.unreachable.add('2').add('3');
    const { body } = await exchange(await fixture.raw(), 'GET', '/accessories');
    const { accessories } = JSON.parse(body) as {
      accessories: { aid: number; services: { characteristics: { iid: number; type: string; value?: unknown }[] }[] }[];
    };
    const of = (aid: number) =>
      accessories.find((accessory) => accessory.aid === aid)?.services.flatMap((each) => each.characteristics) ?? [];
    expect(of(2).find(({ iid }) => iid === 13)?.value).toBe(140);
    expect(of(2).find(({ iid }) => iid === 9)?.value).toBe(0);
    expect(of(2).find(({ iid }) => iid === 2)).not.toHaveProperty('value');
    expect(of(3).find(({ type }) => type === '73')?.value).toBeNull();
  });

  it('follows what is published', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    fixture.content.published = fixture.content.published.slice(0, 1);
    fixture.content.configuration += 1;
    fixture.server.databaseChanged();
    const { body } = await exchange(client, 'GET', '/accessories');
    expect((JSON.parse(body) as { accessories: unknown[] }).accessories).toHaveLength(1);
    expect((await exchange(client, 'GET', '/characteristics?id=2.9')).status).toBe(207);
  });
});

describe('GET /characteristics', () => {
  it('reads values, with what the controller asks for', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    expect(await exchange(client, 'GET', `/characteristics?id=2.9,${LARGE_AID}.10`)).toEqual({
      status: 200,
      body: `{"characteristics":[{"aid":2,"iid":9,"value":0},{"aid":${LARGE_AID},"iid":10,"value":50}]}`,
    });
    expect(await exchange(client, 'GET', '/characteristics?id=2.10&meta=1&perms=1&type=true&ev=1')).toEqual({
      status: 200,
      body: '{"characteristics":[{"aid":2,"iid":10,"value":50,"format":"int","unit":"percentage","minValue":0,"maxValue":100,"minStep":1,"perms":["pr","pw","ev"],"type":"8","ev":false}]}',
    });
  });

  it('reads as the controller that asks, also when it asks for everything', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    await exchange(client, 'GET', '/characteristics?id=2.9');
    await exchange(client, 'GET', '/accessories');
    expect([...fixture.content.readers]).toEqual(fixture.controllers.list().map(({ identifier }) => identifier));
  });

  it('answers for each characteristic when one of them can’t be read', async () => {
    const fixture = await start();
    fixture.content.unreachable.add('3');
    const answer = await exchange(await fixture.raw(), 'GET', '/characteristics?id=2.9,2.2,2.99,3.9,77.1');
    expect(answer).toEqual({
      status: 207,
      body: '{"characteristics":[{"aid":2,"iid":9,"value":0,"status":0},{"aid":2,"iid":2,"status":-70405},{"aid":2,"iid":99,"status":-70409},{"aid":3,"iid":9,"status":-70402},{"aid":77,"iid":1,"status":-70409}]}',
    });
  });

  it.each([
    ['', 400],
    ['?id=', 400],
    ['?id=2', 400],
    ['?id=2.9.1', 400],
    ['?id=2.x', 400],
    ['?id=-1.9', 400],
    ['?id=2.9,2.9', 422],
  ])('refuses %j', async (query, status) => {
    const fixture = await start();
    expect(await exchange(await fixture.raw(), 'GET', `/characteristics${query}`)).toEqual({
      status,
      body: '{"status":-70410}',
    });
  });

  it('sends numbers on the steps of their range', async () => {
    const fixture = await start({
      accessories: [
        {
          aid: 1,
          services: [
            {
              iid: 1,
              type: '8A',
              characteristics: [
                {
                  iid: 2,
                  type: '11',
                  format: 'float',
                  perms: ['pr'],
                  minValue: -40,
                  minStep: 0.1,
                  value: 20.400000000000002,
                },
                { iid: 3, type: '10', format: 'float', perms: ['pr'], value: 20.123456 },
              ],
            },
          ],
        },
      ],
    });
    const { body } = await exchange(await fixture.raw(), 'GET', '/characteristics?id=1.2,1.3');
    expect(body).toContain('"value":20.4}');
    expect(body).toContain('"value":20.123456}');
  });

  it('answers 500 requests at once on one connection, in order', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    for (let n = 0; n < 500; n += 1) {
      fixture.content.values.set('2.10', 0);
      client.send('GET', n % 2 === 0 ? '/characteristics?id=2.10' : '/characteristics?id=2.9');
    }
    await eventually(() => client.text.split('HTTP/1.1 200 OK').length - 1).toBe(500);
    const iids = [...client.text.matchAll(/"iid":(\d+)/g)].map(([, iid]) => iid);
    expect(iids).toEqual(Array.from({ length: 500 }, (_, n) => (n % 2 === 0 ? '10' : '9')));
    expect(client.fault).toBeUndefined();
  });

  it('answers a large bridge’s database 100 times to a controller that asks for it 100 times at once', async () => {
    const accessories = Array.from({ length: 150 }, (_, n) => lampAccessory(`Lamp ${n}`, n + 1));
    const fixture = await start({ accessories });
    const client = await fixture.raw();
    for (let n = 0; n < 100; n += 1) client.send('GET', '/accessories');
    await eventually(() => client.text.split('HTTP/1.1 200 OK').length - 1).toBe(100);
    expect(client.fault).toBeUndefined();
  });
});

describe('a connection that is not verified', () => {
  it.each([
    ['GET', '/accessories'],
    ['GET', '/characteristics?id=2.9'],
    ['PUT', '/characteristics'],
    ['PUT', '/prepare'],
    ['POST', '/pairings'],
    ['POST', '/resource'],
  ] as const)('may not %s %s', async (method, path) => {
    const fixture = await start();
    const client = await fixture.plain();
    expect(await exchange(client, method, path)).toEqual({ status: 470, body: '{"status":-70401}' });
  });
});

describe('a path', () => {
  it.each([
    ['GET', '/nothing', 404, -70409],
    ['GET', '/', 404, -70409],
    ['DELETE', '/characteristics', 400, -70410],
    ['POST', '/accessories', 400, -70410],
    ['GET', '/prepare', 400, -70410],
  ] as const)('%s %s is answered with %i', async (method, path, status, hapStatus) => {
    const fixture = await start();
    expect(await exchange(await fixture.raw(), method, path)).toEqual({ status, body: `{"status":${hapStatus}}` });
  });

  it('has the picture of a camera, or the reason why not', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    const body = '{"image-width":4,"image-height":3,"resource-type":"image"}';
    fixture.content.pictureAnswer = Buffer.from('picture');
    expect(await exchange(client, 'POST', '/resource', body)).toEqual({ status: 200, body: 'picture' });
    fixture.content.pictureAnswer = -70402;
    expect(await exchange(client, 'POST', '/resource', body)).toEqual({ status: 207, body: '{"status":-70402}' });
    const wrong = ['{"resource-type":"image"}', body.replace('image"', 'sound"'), body.replace('4', '-4')];
    for (const one of wrong) expect((await exchange(client, 'POST', '/resource', one)).status).toBe(404);
    expect((await exchange(client, 'POST', '/resource', 'x')).status).toBe(400);
  });

  it('has no pictures', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    const body = '{"image-width":1,"image-height":1,"resource-type":"image"}';
    expect(await exchange(client, 'POST', '/resource', body)).toEqual({ status: 404, body: '{"status":-70409}' });
    expect(await exchange(client, 'POST', '/resource')).toEqual({ status: 400, body: '{"status":-70410}' });
  });
});
