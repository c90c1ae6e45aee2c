/** The bridge's advertisement: its records, what changes in them, and that it is found where it listens. */
import { afterEach, describe, expect, it } from 'vitest';
import { MdnsDiscovery } from '../../../src/drivers/discovery/mdns-discovery.ts';
import { MulticastNetwork } from '../../../src/drivers/discovery/multicast-network.ts';
import { type AdvertisedBridge, advertisedBridge } from '../../../src/drivers/hap-server/advertised-bridge.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { isPortFree } from '../../support/free-port.ts';
import { eventually } from '../../support-tests/eventually.ts';
import { AdvertiserFixture, reported, SETTLED_MS } from '../discovery/advertiser-fixture.ts';
import { ETH0, ipv4 } from '../discovery/discovery-fixture.ts';
import { until } from '../hap/session/session-fixture.ts';
import { BridgeFixture } from './bridge-fixture.ts';

const IDENTITY = {
  ...{ deviceId: 'AA:BB:CC:DD:EE:FF', name: 'My home', model: 'hearthd', category: 2 },
  ...{ setupCode: '482-91-573', setupId: 'H3AR', secretKey: Buffer.alloc(32) },
};
const INSTANCE = 'My home._hap._tcp.local';
const HOST = 'hearthd-AABBCCDDEEFF.local';
const txt = (configNumber: number, statusFlags: number) =>
  `TXT ${INSTANCE} c#=${configNumber} ff=0 id=AA:BB:CC:DD:EE:FF md=hearthd pv=1.1 s#=1 sf=${statusFlags} ci=2 sh=rqNjVA== hd=0badcafe`;

function advertise(bridge: AdvertisedBridge, interfaces = { eth0: [ETH0] }): AdvertiserFixture {
  return new AdvertiserFixture({ service: () => advertisedBridge(bridge), interfaces });
}

const opened: { close(): unknown }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

describe('a bridge', () => {
  const bridge = { identity: IDENTITY, port: 51_827, configNumber: 3, isPaired: false, instanceId: '0badcafe' };

  it('is advertised as a HAP accessory server, with the key of its relay', async () => {
    const fixture = advertise(bridge);
    await fixture.advertiser.start();
    const sent = await fixture.sentWithin(SETTLED_MS);
    expect(reported(sent.at(-1)?.packet.answers)).toEqual([
      `PTR _hap._tcp.local ${INSTANCE}`,
      'PTR _services._dns-sd._udp.local _hap._tcp.local',
      `SRV ${INSTANCE} ${HOST}:51827`,
      txt(3, 1),
      `A ${HOST} 192.0.2.2`,
    ]);
  });

  it('announces a new configuration number and that it is paired, without a goodbye', async () => {
    const changing = { ...bridge };
    const fixture = await advertise(changing).settle();
    Object.assign(changing, { configNumber: 4 });
    fixture.advertiser.refresh();
    Object.assign(changing, { isPaired: true });
    fixture.advertiser.refresh();
    const sent = await fixture.sentWithin(SETTLED_MS);
    expect(sent.map(({ packet }) => reported(packet.answers).filter((record) => record.startsWith('TXT')))).toEqual([
      [txt(4, 0)],
      [txt(4, 0)],
    ]);
    expect(sent.flatMap(({ packet }) => packet.answers ?? []).every((each) => 'ttl' in each && each.ttl !== 0)).toBe(
      true,
    );
  });

  it('takes another name when its own is taken, and keeps its device id', async () => {
    const other = await advertise({ ...bridge, identity: { ...IDENTITY, deviceId: '11:22:33:44:55:66' } }).settle();
    const fixture = advertise(bridge, { eth0: [ipv4('192.0.2.3')] });
    fixture.others.push(other);
    other.others.push(fixture);
    await fixture.advertiser.start();
    for (let step = 0; step < 60; step += 1) {
      await fixture.clock.advance(100);
      await other.clock.advance(100);
    }
    const names = fixture.sent
      .flatMap(({ packet }) => reported(packet.answers))
      .filter((each) => each.startsWith('TXT'));
    expect(names.at(-1)).toMatch(/^TXT My home \(2\)\._hap\._tcp\.local .*id=AA:BB:CC:DD:EE:FF/);
  });

  it('follows interfaces that go and come', async () => {
    const fixture = await advertise(bridge).settle();
    fixture.interfaces = {};
    await fixture.clock.advance(6_000);
    fixture.interfaces = { eth0: [ipv4('192.0.2.77')] };
    const sent = await fixture.sentWithin(6_000 + SETTLED_MS);
    expect(reported(sent.at(-1)?.packet.answers)).toContain(`A ${HOST} 192.0.2.77`);
  });
});

describe('a bridge on loopback', () => {
  function discover(): MdnsDiscovery {
    const deps = { clock: systemClock, logger: silentLogger };
    const discovery = new MdnsDiscovery({ ...deps, network: new MulticastNetwork({ ...deps, interfaces: ['lo'] }) });
    opened.push({ close: () => discovery.stop() });
    discovery.start();
    return discovery;
  }

  it('is found, is found paired, with its new configuration, and is gone when it stops', async () => {
    const discovery = discover();
    const fixture = await BridgeFixture.start({ advertises: true });
    opened.push(fixture);
    const found = () => discovery.find(fixture.identity.deviceId);
    await until(() => found() !== undefined, 'the bridge');
    expect(found()).toMatchObject({
      ...{ port: fixture.port, category: 2, statusFlags: 1, configNumber: 1, protocolVersion: '1.1' },
      addresses: ['127.0.0.1'],
    });
    await fixture.pairedClient();
    await eventually(() => found()?.statusFlags).toBe(0);
    fixture.content.configuration = 2;
    fixture.server.databaseChanged();
    await eventually(() => found()?.configNumber).toBe(2);
    await fixture.server.stop();
    await until(() => found() === undefined, 'its goodbye');
  });
});

describe('a port', () => {
  it('is the preferred one, and another one if that is taken', async () => {
    const first = await BridgeFixture.start();
    opened.push(first);
    const lines: object[] = [];
    const logger = { ...silentLogger, warn: (fields: object) => void lines.push(fields), child: () => logger };
    const second = await BridgeFixture.start({ preferredPort: first.port, logger });
    opened.push(second);
    expect(second.port).not.toBe(first.port);
    expect(lines).toEqual([{ port: second.port, taken: first.port }]);
    const { port } = second;
    await second.server.stop();
    expect(second.server.port).toBeUndefined();
    expect(await isPortFree(port)).toBe(true);
    const third = await BridgeFixture.start({ preferredPort: port });
    opened.push(third);
    expect(third.port).toBe(port);
  });

  it('accepts connections to the addresses of the chosen interfaces only', async () => {
    const fixture = await BridgeFixture.start({ hosts: [], interfaces: ['nothing0'] });
    opened.push(fixture);
    const client = await fixture.plain();
    await eventually(() => client.closed).toBe(true);
    const everywhere = await BridgeFixture.start({ hosts: [] });
    opened.push(everywhere);
    await everywhere.pairedClient();
  });
});
