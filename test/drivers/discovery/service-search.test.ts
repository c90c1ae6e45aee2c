/** Brokers and Home Assistant on the network: real answers on loopback, and records that are no good. */
import type { Answer } from 'dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { MulticastNetwork } from '../../../src/drivers/discovery/multicast-network.ts';
import { MDNS_PORT, type PacketSocketEvents } from '../../../src/drivers/discovery/multicast-socket.ts';
import { MdnsServiceSearch } from '../../../src/drivers/discovery/service-search.ts';
import type { FoundService } from '../../../src/home/service-search.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { distinctResponderOptions } from '../../support/accessories/advertiser.ts';
import { type CiaoResponder, loadCiao } from '../../support/accessories/hap-nodejs-parts.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { TestClock } from '../../support/test-clock.ts';
import { ETH0 } from './discovery-fixture.ts';
import { LABEL_DOT, questionsOf, response, withLabelDots } from './packets.ts';

const TYPES = { mqtt: '_mqtt._tcp.local', tls: '_secure-mqtt._tcp.local', ha: '_home-assistant._tcp.local' };
const SENDER = '192.168.1.10';

interface Service {
  readonly type: keyof typeof TYPES;
  readonly name: string;
  readonly host?: string;
  readonly port?: number;
  readonly ipv4?: readonly string[];
  readonly ipv6?: readonly string[];
  readonly ttl?: number;
}

function pointer({ type, name, ttl = 4500 }: Service): Answer {
  return { type: 'PTR', name: TYPES[type], ttl, data: `${name}.${TYPES[type]}` };
}

function server({ type, name, host = 'pi.local', port = 1883 }: Service): Answer {
  return { type: 'SRV', name: `${name}.${TYPES[type]}`, ttl: 120, flush: true, data: { port, target: host } };
}

function addresses({ host = 'pi.local', ipv4 = [SENDER], ipv6 = [] }: Service): Answer[] {
  return [
    ...ipv4.map((data): Answer => ({ type: 'A', name: host, ttl: 120, flush: true, data })),
    ...ipv6.map((data): Answer => ({ type: 'AAAA', name: host, ttl: 120, flush: true, data })),
  ];
}

const announcement = (service: Service) =>
  withLabelDots(response([pointer(service)], [server(service), ...addresses(service)]));

/** A search on a clock and a network that the test moves. */
class Fixture {
  readonly clock = new TestClock();
  readonly asked: string[][] = [];
  readonly search: MdnsServiceSearch;
  open = 0;
  #events: PacketSocketEvents | undefined;

  constructor() {
    const network = new MulticastNetwork({
      clock: this.clock,
      logger: silentLogger,
      interfaces: [],
      listInterfaces: () => ({ eth0: [ETH0] }),
      openSocket: (_, events) => {
        this.#events = events;
        this.open += 1;
        this.clock.after(0, () => events.onReady());
        return {
          send: async (packet) => void this.asked.push(questionsOf(packet)),
          isJoined: () => true,
          close: () => {
            this.open -= 1;
          },
        };
      },
    });
    this.search = new MdnsServiceSearch({ clock: this.clock, network });
  }

  receive(packet: Buffer, sender = SENDER): void {
    this.#events?.onPacket(packet, sender, MDNS_PORT);
  }

  /** What is found of these packets, which arrive at once. */
  async find(
    packets: readonly (Buffer | readonly [packet: Buffer, sender: string])[],
  ): Promise<readonly FoundService[]> {
    const found = this.search.search();
    await this.clock.advance(0);
    for (const each of packets) {
      if (Buffer.isBuffer(each)) this.receive(each);
      else this.receive(each[0], each[1]);
    }
    await this.clock.advance(10_000);
    return found;
  }
}

const names = (found: readonly FoundService[]) => found.map(({ name }) => name);

describe('a search for brokers', () => {
  it('finds brokers and Home Assistant, brokers first', async () => {
    const found = await new Fixture().find([
      announcement({ type: 'ha', name: 'Home', host: 'ha.local', port: 8123, ipv4: ['192.168.1.20'] }),
      announcement({ type: 'tls', name: 'Vault', port: 8883 }),
      announcement({ type: 'mqtt', name: `Mosquitto 2${LABEL_DOT}0`, ipv6: ['fd00::10', '2001:db8::10'] }),
    ]);
    expect(found).toEqual([
      { kind: 'mqtt', name: 'Mosquitto 2.0', addresses: [SENDER, 'fd00::10'], port: 1883 },
      { kind: 'secure_mqtt', name: 'Vault', addresses: [SENDER, 'fd00::10'], port: 8883 },
      { kind: 'home_assistant', name: 'Home', addresses: ['192.168.1.20'], port: 8123 },
    ]);
  });

  it('asks nothing before it is started, and nothing after it: its sockets are closed', async () => {
    const fixture = new Fixture();
    await fixture.clock.advance(60_000);
    expect([fixture.asked, fixture.open]).toEqual([[], 0]);
    await fixture.find([]);
    expect(fixture.asked[0]).toEqual([
      'PTR _mqtt._tcp.local',
      'PTR _secure-mqtt._tcp.local',
      'PTR _home-assistant._tcp.local',
    ]);
    expect([fixture.asked.length, fixture.open, fixture.clock.pendingTimers]).toEqual([3, 0, 0]);
  });

  it('is one search for all who ask at the same time', async () => {
    const { search, clock, asked } = new Fixture();
    const both = [search.search(), search.search()];
    await clock.advance(10_000);
    expect(both[0]).toBe(both[1]);
    expect(asked).toHaveLength(3);
  });

  it('ends with the relay', async () => {
    const fixture = new Fixture();
    const found = fixture.search.search();
    await fixture.clock.advance(0);
    fixture.receive(announcement({ type: 'mqtt', name: 'Mosquitto' }));
    fixture.search.stop();
    expect(names(await found)).toEqual(['Mosquitto']);
    expect([fixture.open, fixture.clock.pendingTimers]).toEqual([0, 0]);
  });

  it('asks for what is missing', async () => {
    const fixture = new Fixture();
    const service: Service = { type: 'mqtt', name: 'Mosquitto' };
    const found = fixture.search.search();
    await fixture.clock.advance(0);
    fixture.receive(response([pointer(service)]));
    await fixture.clock.advance(1_000);
    expect(fixture.asked.at(-1)).toContain('SRV Mosquitto._mqtt._tcp.local');
    fixture.receive(response([server(service)]));
    await fixture.clock.advance(1_000);
    expect(fixture.asked.at(-1)).toEqual(expect.arrayContaining(['A pi.local', 'AAAA pi.local']));
    fixture.receive(response(addresses(service)));
    await fixture.clock.advance(1_000);
    expect(names(await found)).toEqual(['Mosquitto']);
  });
});

describe('records that are no good', () => {
  it.each<[string, readonly Buffer[]]>([
    ['no address', [response([pointer({ type: 'mqtt', name: 'A' }), server({ type: 'mqtt', name: 'A' })])]],
    ['no server', [response([pointer({ type: 'mqtt', name: 'A' })])]],
    ['port 0', [announcement({ type: 'mqtt', name: 'A', port: 0 })]],
    ['an address in the internet', [announcement({ type: 'mqtt', name: 'A', ipv4: ['203.0.113.5'] })]],
    ['an address of no computer', [announcement({ type: 'mqtt', name: 'A', ipv4: ['0.0.0.0', '224.0.0.251'] })]],
    ['this computer, by a host on the network', [announcement({ type: 'mqtt', name: 'A', ipv4: ['127.0.0.1'] })]],
    [
      'a withdrawn one',
      [announcement({ type: 'mqtt', name: 'A' }), response([pointer({ type: 'mqtt', name: 'A', ttl: 0 })])],
    ],
    ['another service', [response([{ type: 'PTR', name: TYPES.mqtt, ttl: 1, data: 'Lamp._hap._tcp.local' }])]],
    ['no packet at all', [Buffer.from('mqtt'), Buffer.alloc(0), Buffer.alloc(9_000, 0xff)]],
  ])('%s: nothing is found', async (_, packets) => {
    expect(await new Fixture().find(packets)).toEqual([]);
  });

  it('an address in the internet counts where it is that of the sender', async () => {
    const packet = announcement({ type: 'mqtt', name: 'A', ipv4: ['203.0.113.5'] });
    expect(await new Fixture().find([[packet, '203.0.113.5']])).toMatchObject([{ addresses: ['203.0.113.5'] }]);
  });

  it('names are shown without control characters, and without what changes their direction', async () => {
    const found = await new Fixture().find([
      announcement({ type: 'mqtt', name: 'Mos\u001b[31mqui\ntto\u0007', port: 1 }),
      announcement({ type: 'mqtt', name: '\u202etxt.exe'.replace('.', LABEL_DOT), port: 2 }),
      announcement({ type: 'mqtt', name: '\u200b\u200b', port: 3 }),
      announcement({ type: 'mqtt', name: '<img src=x onerror=alert(1)>', port: 4 }),
    ]);
    expect(names(found).sort()).toEqual(['192.168.1.10', '<img src=x onerror=alert(1)>', 'Mos [31mqui tto', 'txt.exe']);
  });

  it('names are no longer than those of brokers', async () => {
    // Some responders send a name with dots as several labels.
    const name = Array.from({ length: 3 }, () => 'x'.repeat(60)).join('.');
    const [found] = await new Fixture().find([announcement({ type: 'mqtt', name })]);
    expect(found?.name).toBe(`${name.slice(0, 64)}`);
  });

  it('one server under several names and at several addresses is there once', async () => {
    const found = await new Fixture().find([
      announcement({ type: 'mqtt', name: 'Mosquitto', ipv4: [SENDER, '10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'] }),
      announcement({ type: 'mqtt', name: 'Mosquitto' }),
      announcement({ type: 'mqtt', name: 'Again' }),
    ]);
    expect(names(found)).toEqual(['Again']);
    expect(found[0]?.addresses).toHaveLength(4);
  });

  it('hundreds of one sender leave room for the others, and many senders are bounded', async () => {
    const flood = (sender: string, type: Service['type'] = 'mqtt') =>
      Array.from({ length: 400 }, (_, index): [Buffer, string] => [
        announcement({ type, name: `A${index}`, host: `a${index}.local`, port: index + 1, ipv4: [sender] }),
        sender,
      ]);
    const honest = announcement({ type: 'mqtt', name: 'Mosquitto', ipv4: ['192.168.1.99'] });
    const one = await new Fixture().find([...flood('192.168.1.66'), [honest, '192.168.1.99']]);
    expect(one).toHaveLength(17);
    expect(names(one)).toContain('Mosquitto');
    const many = await new Fixture().find(['1', '2', '3', '4'].flatMap((last) => flood(`192.168.1.${last}`)));
    expect(many).toHaveLength(32);
    const others = ['1', '2', '3'].flatMap((last) => flood(`192.168.1.${last}`, 'ha'));
    expect(names(await new Fixture().find([...others, [honest, '192.168.1.99']]))[0]).toBe('Mosquitto');
  });
});

describe('a real responder on loopback', () => {
  let responder: CiaoResponder | undefined;
  afterEach(() => responder?.shutdown());

  it('is found', { timeout: PATIENCE_MS }, async () => {
    responder = loadCiao().getResponder(distinctResponderOptions());
    // Other tests search the same loopback interface.
    const name = `Mosquitto ${process.pid}`;
    await responder
      .createService({
        ...{ name, type: 'mqtt', port: 1883, hostname: `broker-${process.pid}`, txt: { url: 'http://evil.example/' } },
        ...{ restrictedAddresses: ['127.0.0.1'], disabledIpv6: true },
      })
      .advertise();
    const deps = { clock: systemClock, logger: silentLogger };
    const search = new MdnsServiceSearch({ ...deps, network: new MulticastNetwork({ ...deps, interfaces: ['lo'] }) });
    const mine = async () => (await search.search()).filter((service) => service.name === name);
    await expect
      .poll(mine, { timeout: PATIENCE_MS })
      .toEqual([{ kind: 'mqtt', name, addresses: ['127.0.0.1'], port: 1883 }]);
  });
});
