/**
 * The same requests to HAP-NodeJS and to our server, whose answers must be equal byte for byte, apart from dates and
 * the order of lists. Apple's
 * controllers know HAP-NodeJS's answers best.
 */
import { Accessory, type Categories, Characteristic, Service, uuid } from '@homebridge/hap-nodejs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepOnLoopback } from '../../support/accessories/demo-home/loopback-only.ts';
import { testStorage, useHapStorage } from '../../support/accessories/hap-storage.ts';
import { type ControllerKeys, createControllerKeys } from '../../support/accessories/identity.ts';
import type { AccessoryJson } from '../../support/accessories/served-database.ts';
import { eventually } from '../../support-tests/eventually.ts';
import { RawClient } from '../../support-tests/raw-client.ts';
import { until } from '../hap/session/session-fixture.ts';
import { BridgeFixture } from './bridge-fixture.ts';
import { exchange } from './raw-requests.ts';

const controller: ControllerKeys = createControllerKeys();
/** An enumeration that can't be imported. */
const LIGHTBULB = 5;
let theirs: Accessory;
let theirPort = 0;
let ours: BridgeFixture;

beforeAll(async () => {
  useHapStorage(testStorage());
  keepOnLoopback();
  theirs = new Accessory('Twin', uuid.generate('twin'));
  const lamp = theirs.addService(Service.Lightbulb, 'Lamp');
  lamp.getCharacteristic(Characteristic.On).onSet(() => {});
  lamp.getCharacteristic(Characteristic.Brightness).updateValue(40);
  theirs
    .addService(Service.TemperatureSensor, 'Air')
    .getCharacteristic(Characteristic.CurrentTemperature)
    .updateValue(20.5);
  theirs.addService(Service.StatelessProgrammableSwitch, 'Button');
  await theirs.publish({
    ...{ username: 'AA:BB:CC:11:22:33', pincode: '482-91-573', category: LIGHTBULB as Categories, port: 0 },
    bind: 'lo',
  });
  const { _server: server, _accessoryInfo: info } = theirs as unknown as {
    _server: { httpServer: { address(): { port: number } | null } };
    _accessoryInfo: { addPairedClient(id: string, key: Buffer, permission: number): void };
  };
  await until(() => server.httpServer.address() !== null, 'the port of HAP-NodeJS');
  theirPort = server.httpServer.address()?.port ?? 0;
  info.addPairedClient(controller.id, controller.publicKey, 1);
  const client = await RawClient.open(theirPort, controller);
  const { body } = await exchange(client, 'GET', '/accessories');
  client.close();
  // Their database is our content.
  const { accessories } = JSON.parse(body) as { accessories: AccessoryJson[] };
  ours = await BridgeFixture.start({ accessories });
  ours.controllers.put({ identifier: controller.id, publicKey: controller.publicKey, isAdmin: true });
});

afterAll(async () => {
  await theirs.unpublish();
  await ours.close();
});

type Method = Parameters<RawClient['send']>[0];

/** Everything that comes back for some requests, without the date. */
async function answersOf(port: number, requests: readonly (readonly [Method, string, string?])[], isVerified = true) {
  const client = isVerified ? await RawClient.open(port, controller) : await RawClient.connect(port);
  const answers: string[] = [];
  for (const [method, path, body] of requests) {
    await exchange(client, method, path, body);
    answers.push(client.text.replace(/Date: [^\r]*/, 'Date: -').replace(/^\{.*\}(?=\r$)/m, sorted));
  }
  client.close();
  return answers;
}

interface Listed {
  readonly iid?: number;
  readonly perms?: string[];
  readonly characteristics?: Listed[];
  readonly services?: Listed[];
  readonly accessories?: Listed[];
}

/** HAP-NodeJS lists characteristics as their reads end, and permissions as it has them. Members keep their order. */
function sorted(json: string): string {
  const sort = (item: Listed): void => {
    item.perms?.sort();
    item.characteristics?.sort((a, b) => (a.iid ?? 0) - (b.iid ?? 0));
    for (const each of [item.characteristics, item.services, item.accessories].flat()) if (each) sort(each);
  };
  const body = JSON.parse(json) as Listed;
  sort(body);
  return JSON.stringify(body);
}

async function expectEqual(requests: readonly (readonly [Method, string, string?])[], isVerified = true) {
  expect(await answersOf(ours.port, requests, isVerified)).toEqual(await answersOf(theirPort, requests, isVerified));
}

/** The iid of a type. */
function iidOf(type: string): string {
  const all = ours.content.published.flatMap(({ services }) => services.flatMap((each) => each.characteristics));
  const found = all.findLast((characteristic) => characteristic.type === type);
  if (!found) throw new Error(`There is no ${type}`);
  return found.iid;
}

describe('our answers are HAP-NodeJS’s', () => {
  it('to GET /accessories', async () => {
    await expectEqual([['GET', '/accessories']]);
  });

  it('to reads', async () => {
    const [on, brightness, air, press, identify] = [iidOf('25'), iidOf('8'), iidOf('11'), iidOf('73'), iidOf('14')];
    await expectEqual([
      ['GET', `/characteristics?id=1.${on}`],
      ['GET', `/characteristics?id=1.${on},1.${brightness},1.${air}`],
      ['GET', `/characteristics?id=1.${on},1.${air}&meta=1&perms=1&type=1&ev=1`],
      ['GET', `/characteristics?id=1.${press}`],
      ['GET', `/characteristics?id=1.${on},1.${identify}`],
      ['GET', `/characteristics?id=1.${on},1.${on}`],
      ['GET', '/characteristics'],
    ]);
  });

  it('to writes and subscriptions', async () => {
    const [on, brightness, air] = [iidOf('25'), iidOf('8'), iidOf('11')];
    const put = (items: string, more = ''): readonly [Method, string, string] => [
      'PUT',
      '/characteristics',
      `{"characteristics":[${items}]${more}}`,
    ];
    await expectEqual([
      put(`{"aid":1,"iid":${on},"value":true}`),
      put(`{"aid":1,"iid":${on},"ev":true},{"aid":1,"iid":${brightness},"ev":true}`),
      ['GET', `/characteristics?id=1.${on}&ev=1`],
      put(`{"aid":1,"iid":${on},"ev":false}`),
      put(`{"aid":1,"iid":${air},"value":7}`),
      put(`{"aid":1,"iid":${on},"value":1},{"aid":1,"iid":${on},"value":0}`),
      put(`{"aid":1,"iid":${on}}`),
      ['PUT', '/characteristics'],
      ['PUT', '/prepare', '{"ttl":60000,"pid":17}'],
      put(`{"aid":1,"iid":${on},"value":1}`, ',"pid":17'),
      put(`{"aid":1,"iid":${on},"value":1}`, ',"pid":17'),
      ['PUT', '/prepare', '{"ttl":2000}'],
      ['POST', '/characteristics'],
      ['GET', '/prepare'],
    ]);
  });

  it('to other paths', async () => {
    await expectEqual([
      ['GET', '/nothing'],
      ['POST', '/resource', '{"resource-type":"image"}'],
      ['POST', '/resource'],
      ['GET', '/resource'],
      ['POST', '/identify'],
    ]);
  });

  it('to a controller that is not verified', async () => {
    await expectEqual(
      [
        ['GET', '/accessories'],
        ['GET', '/characteristics?id=1.1'],
        ['PUT', '/characteristics', '{}'],
        ['PUT', '/prepare', '{}'],
        ['POST', '/resource', '{}'],
        ['POST', '/pairings', '\x06\x01\x01'],
        ['POST', '/pair-setup', '\x06\x01\x01\x00\x01\x00'],
        ['POST', '/pair-verify', '\x06\x01\x03'],
        ['POST', '/identify'],
      ],
      false,
    );
  });

  it('to pairings', async () => {
    await expectEqual([
      ['POST', '/pairings', '\x06\x01\x01\x00\x01\x05'],
      ['POST', '/pairings', `\x06\x01\x01\x00\x01\x03\x01\x02AB\x03\x20${'k'.repeat(32)}\x0b\x01\x00`],
      ['POST', '/pairings', `\x06\x01\x01\x00\x01\x03\x01\x02AB\x03\x20${'x'.repeat(32)}\x0b\x01\x00`],
      ['POST', '/pairings', '\x06\x01\x01\x00\x01\x04\x01\x02AB'],
      ['POST', '/pairings', '\x06\x01\x01\x00\x01\x04\x01\x02AB'],
    ]);
  });

  it('to events', async () => {
    const [on, brightness] = [iidOf('25'), iidOf('8')];
    const subscribe = `{"characteristics":[{"aid":1,"iid":${on},"ev":true},{"aid":1,"iid":${brightness},"ev":true}]}`;
    const clients = [await RawClient.open(theirPort, controller), await RawClient.open(ours.port, controller)];
    for (const client of clients) {
      await exchange(client, 'PUT', '/characteristics', subscribe);
      client.clear();
    }
    const lamp = theirs.getService(Service.Lightbulb);
    lamp?.updateCharacteristic(Characteristic.On, false);
    lamp?.updateCharacteristic(Characteristic.On, true);
    lamp?.updateCharacteristic(Characteristic.Brightness, 5);
    ours.content.set('1', on, true);
    ours.content.set('1', brightness, 5);
    await eventually(() => clients[1]?.text).toContain('"value":5');
    await eventually(() => clients[0]?.text).toContain('"value":5');
    // They may send the value before: the last elements are the same.
    const tail = (text = '') => text.replace(/\d+\r\n\r\n/, '').slice(0, 120);
    expect(tail(clients[1]?.text)).toBe(tail(clients[0]?.text));
    for (const client of clients) client.close();
  });
});
