/**
 * Nothing leaves the home by itself. The built daemon runs in a network namespace whose only cable, with a default
 * route, ends in another one; the kernel's own counters of the first are compared with what arrives in the second, so
 * that not a packet that is no mDNS could leave unnoticed.
 *
 * The one exception is the update check, once it is turned on: with it, a home on a clock of its own sends its
 * questions to a server here, and each is compared with the one that the manual shows.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GuardedSender } from '../../src/drivers/http/guarded-sender.ts';
import type { HttpSender } from '../../src/home/http-sender.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { ROOT } from '../support/built-once.ts';
import { eventually } from '../support/e2e-relay.ts';
import {
  connect,
  describeWithNamespaces,
  type NamespaceChild,
  NetworkNamespace,
} from '../support/network-namespace.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import type { Received } from './mdns-listener.ts';

const WATCHED_MS = 20_000;
/** How long what is no mDNS, and so is never received, is waited for all the same. */
const UNHEARD_MS = 2_000;
const EAR = join(import.meta.dirname, 'mdns-listener.ts');
const HOME = '10.96.0.1';
const BEYOND = '10.96.0.2';

let program: BuiltProgram;

/** A home with one cable to the world, in which a listener records packets. */
class WatchedHome implements AsyncDisposable {
  readonly namespace = NetworkNamespace.create();
  readonly #outside = NetworkNamespace.create();
  #ear: NamespaceChild<Received> | undefined;

  static async create(): Promise<WatchedHome> {
    const home = new WatchedHome();
    connect(home.namespace, home.#outside, 'eth0');
    // IPv6 too: the kernel's own chatter over it is multicast, and counted apart.
    for (const end of [home.namespace, home.#outside])
      inside(end, 'sysctl', '-qw', 'net.ipv6.conf.eth0.disable_ipv6=0');
    home.namespace.setUp('eth0', `${HOME}/24`);
    home.#outside.setUp('eth0', `${BEYOND}/24`);
    home.namespace.ip('addr', 'add', 'fd00::1/64', 'dev', 'eth0', 'nodad');
    home.#outside.ip('addr', 'add', 'fd00::2/64', 'dev', 'eth0', 'nodad');
    home.namespace.ip('route', 'add', 'default', 'via', BEYOND);
    home.namespace.ip('-6', 'route', 'add', 'default', 'via', 'fd00::2');
    home.#ear = home.#outside.run<Received>(EAR, { address: BEYOND });
    await eventually(() => home.#ear?.lines.length === 1, 'somebody to listen');
    return home;
  }

  /** The sender of each mDNS packet so far. */
  received(): readonly string[] {
    return (this.#ear?.lines ?? []).flatMap((line) => ('from' in line ? [line.from] : []));
  }

  counters(): Counters {
    const [snmpText = '', moreText = '', sixText = ''] = this.#readStill();
    const snmp = table(snmpText);
    const more = table(moreText);
    const six = new Map(
      sixText
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/) as [string, string]),
    );
    const of = (from: ReadonlyMap<string, string>, name: string): number => {
      const value = Number(from.get(name));
      if (Number.isNaN(value)) throw new Error(`The kernel does not count ${name}`);
      return value;
    };
    return {
      unicast: of(snmp, 'Ip.OutRequests') - of(more, 'IpExt.OutMcastPkts'),
      broadcast: of(more, 'IpExt.OutBcastPkts'),
      udp: of(snmp, 'Udp.OutDatagrams'),
      tcp: of(snmp, 'Tcp.OutSegs') + of(snmp, 'Tcp.ActiveOpens'),
      icmp: of(snmp, 'Icmp.OutMsgs'),
      // The kernel itself throws some away: multicast, while an address is new.
      unicast6: of(six, 'Ip6OutRequests') - of(six, 'Ip6OutDiscards') - of(six, 'Ip6OutMcastPkts'),
      udp6: of(six, 'Udp6OutDatagrams'),
      noRoute: of(snmp, 'Ip.OutNoRoutes') + of(six, 'Ip6OutNoRoutes'),
    };
  }

  /** The files one after the other, at a moment at which nothing is sent: one packet is counted in several of them. */
  #readStill(): readonly string[] {
    const read = () => ['snmp', 'netstat', 'snmp6'].map((file) => inside(this.namespace, 'cat', `/proc/net/${file}`));
    for (let last = read(); ; ) {
      const next = read();
      if (next.join() === last.join()) return next;
      last = next;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.namespace.remove();
    await this.#outside.remove();
  }
}

interface Counters {
  readonly unicast: number;
  readonly broadcast: number;
  readonly udp: number;
  readonly tcp: number;
  readonly icmp: number;
  readonly unicast6: number;
  readonly udp6: number;
  readonly noRoute: number;
}

function inside(namespace: NetworkNamespace, ...command: string[]): string {
  return execFileSync('ip', ['netns', 'exec', namespace.name, ...command], { encoding: 'utf8' });
}

/** The kernel's pairs of lines, `Udp: InDatagrams …` over `Udp: 0 …`, as `Udp.InDatagrams` → `0`. */
function table(text: string): ReadonlyMap<string, string> {
  const lines = text.trim().split('\n');
  const entries = new Map<string, string>();
  for (let n = 0; n + 1 < lines.length; n += 2) {
    const [protocol = '', ...names] = (lines[n] ?? '').split(' ');
    const [, ...values] = (lines[n + 1] ?? '').split(' ');
    names.forEach((name, index) => void entries.set(`${protocol.replace(':', '')}.${name}`, values[index] ?? ''));
  }
  return entries;
}

/**
 * What was sent between two readings that is not mDNS over IPv4; the kernel's own IGMP and ARP are left out.
 *
 * @param patienceMs how long a packet may take to arrive
 */
async function strays(
  home: WatchedHome,
  before: Counters,
  patienceMs = PATIENCE_MS,
): Promise<Readonly<Record<string, number>>> {
  const after = home.counters();
  const sent = Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - before[name as keyof Counters]]),
  ) as Record<keyof Counters, number>;
  await eventually(() => home.received().length >= sent.udp, 'every packet to be heard', patienceMs).catch(() => {});
  const { udp, ...others } = sent;
  const unheard = { unheardUdp: Math.max(0, udp - home.received().length) };
  return Object.fromEntries(Object.entries({ ...others, ...unheard }).filter(([, count]) => count !== 0));
}

describeWithNamespaces('on a network with a way out, the daemon', () => {
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program[Symbol.dispose]());

  const inHome = ({ namespace }: WatchedHome): readonly string[] => ['ip', 'netns', 'exec', namespace.name];

  it.concurrent('sends nothing but mDNS when it runs as it comes out of the box', async () => {
    await using home = await WatchedHome.create();
    const before = home.counters();
    await using daemon = await BuiltDaemon.start({ program, before: inHome(home), network: [] });
    await delay(WATCHED_MS);
    expect((await daemon.asSystem('POST', '/rest/discovered/refresh')).status).toBe(200);
    expect(await daemon.end()).toBe(0);
    expect(await strays(home, before)).toEqual({});
    expect(home.received().length).toBeGreaterThan(1);
    expect(new Set(home.received())).toEqual(new Set([`${HOME}:5353`]));
  });

  it.concurrent('sends nothing but mDNS while it publishes the home over Matter', async () => {
    await using home = await WatchedHome.create();
    await using daemon = await BuiltDaemon.start({ program, before: inHome(home), network: [] });
    const before = home.counters();
    await daemon.asSystem('POST', '/rest/publications', { name: 'Hearth', kind: 'matter' });
    await eventually(async () => {
      const { body } = await daemon.asSystem('GET', '/rest/publications');
      return body[0]?.status === 'open';
    }, 'the Matter bridge to open');
    await delay(WATCHED_MS);
    expect(await daemon.end()).toBe(0);
    // Matter's mDNS is over IPv6 too: multicast, of which no packet is counted as unicast.
    const { udp6, ...others } = await strays(home, before);
    expect([others, (udp6 ?? 0) > 0]).toEqual([{}, true]);
    expect(new Set(home.received())).toEqual(new Set([`${HOME}:5353`]));
  });

  it.concurrent('sends nothing at all outside when it is kept to loopback', async () => {
    await using home = await WatchedHome.create();
    // The kernel's own greetings over IPv6 are over by then, or do not come.
    inside(home.namespace, 'sysctl', '-qw', 'net.ipv6.conf.eth0.disable_ipv6=1');
    await delay(1_000);
    const before = home.namespace.sentPackets('eth0');
    await using daemon = await BuiltDaemon.start({ program, before: inHome(home), network: ['--interface', 'lo'] });
    await delay(WATCHED_MS);
    expect(await daemon.end()).toBe(0);
    expect(home.namespace.sentPackets('eth0') - before).toBe(0);
    expect(home.received()).toEqual([]);
  });

  it.concurrent.each([
    ['a question to a name server', `dgram.createSocket('udp4').send('x', 53, '192.0.2.1', () => process.exit())`],
    ['a connection', `net.connect(443, '192.0.2.1').on('error', () => {}); setTimeout(() => process.exit(), 300)`],
    ['a connection over IPv6', `net.connect(443, 'fd00::2').on('error', () => process.exit())`],
    ['SSDP', `dgram.createSocket('udp4').send('x', 1900, '239.255.255.250', () => process.exit())`],
  ])('would be caught at %s', async (_, script) => {
    await using home = await WatchedHome.create();
    const before = home.counters();
    inside(home.namespace, process.execPath, '-e', script);
    expect(await strays(home, before, UNHEARD_MS)).not.toEqual({});
  });
});

describe('the update check', () => {
  const MINUTE_MS = 60_000;
  const HOUR_MS = 60 * MINUTE_MS;
  const REGISTRY = 'https://registry.npmjs.org';

  let registry: Server;
  let host: string;
  /** What came in at the registry, byte by byte. */
  let questions: string[];
  /** The clock of the home at each request that it sends. */
  let sentAt: number[];
  let home: TestHome;

  beforeEach(async () => {
    questions = [];
    sentAt = [];
    registry = createServer((socket) =>
      socket.once('data', (bytes) => {
        questions.push(bytes.toString('latin1'));
        const body = JSON.stringify({ latest: '0.0.1' });
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      }),
    );
    registry.listen(0, '127.0.0.1');
    await once(registry, 'listening');
    host = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
    const sender = new GuardedSender({
      clock: systemClock,
      allowLoopback: true,
      ownAddresses: () => [],
      ownPorts: () => [],
    });
    const http: HttpSender = {
      send(request) {
        sentAt.push(home.clock.now());
        const url = request.url.replace(REGISTRY, `http://${host}`);
        return sender.send({ ...request, url, publicOnly: false });
      },
    };
    home = createTestHome({ sample: true, http });
    home.updateCheck.start();
  });
  afterEach(async () => {
    await home.updateCheck.stop();
    home.close();
    registry.close();
  });

  /** The clock stops each hour, until what was sent then has arrived. */
  async function letHoursPass(hours: number): Promise<void> {
    for (let hour = 0; hour < hours; hour += 1) {
      await home.clock.advance(HOUR_MS);
      await eventually(() => questions.length === sentAt.length, 'what was sent to arrive');
    }
  }

  it('sends nothing over a day while it is off, as it comes out of the box', async () => {
    await letHoursPass(25);
    home.relaySettings.update(systemCaller, { update_check: false });
    await letHoursPass(25);
    expect([sentAt, questions]).toEqual([[], []]);
  });

  it('asks the registry once a day at most while it is on, with what the manual shows and nothing else', async () => {
    home.relaySettings.update(systemCaller, { update_check: true });
    await letHoursPass(4 * 24);
    const [, manual = ''] =
      /```\n(GET [^`]*)```/.exec(readFileSync(join(ROOT, 'src/docs/manual/install.md'), 'utf8')) ?? [];
    const shown = `${manual.replace('registry.npmjs.org', host)}\n`.replaceAll('\n', '\r\n');
    expect(new Set(questions)).toEqual(new Set([shown]));
    expect(questions.length).toBeGreaterThan(1);
    for (const [index, at] of sentAt.slice(1).entries())
      expect(at - (sentAt[index] ?? 0)).toBeGreaterThanOrEqual(24 * HOUR_MS);
    const before = questions.length;
    home.relaySettings.update(systemCaller, { update_check: false });
    await letHoursPass(2 * 24);
    expect(questions).toHaveLength(before);
  });
});
