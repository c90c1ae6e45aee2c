/**
 * Looks for MQTT brokers and Home Assistant on the network, for some seconds and only when it is asked to: it browses
 * their services (RFC 6763) over the sockets of discovery, and keeps nothing afterwards.
 *
 * Anything on the network may answer. Only names, local addresses and ports are taken; TXT records, and so the URLs in
 * them, are not read. No sender and no number of records can push out the services of others.
 */
import { showableName } from '../../home/names.ts';
import { type FoundService, SERVICE_KINDS, type ServiceKind, type ServiceSearch } from '../../home/service-search.ts';
import { MAX_NAME_LENGTH } from '../../home/vocabulary/limits.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { isLocal, rankAddresses } from './addresses.ts';
import { type DnsQuestion, type DnsRecord, type DnsRecordOf, readResponse } from './dns-message.ts';
import { instanceName, nameKey } from './dns-name.ts';
import { MAX_MESSAGE_BYTES, questionBytes, writeQuery } from './dns-writer.ts';
import type { MulticastNetwork, NetworkLink, NetworkListener } from './multicast-network.ts';
import { type CachedRecord, RecordCache } from './record-cache.ts';

const TYPES: Readonly<Record<ServiceKind, string>> = {
  mqtt: '_mqtt._tcp.local',
  secure_mqtt: '_secure-mqtt._tcp.local',
  home_assistant: '_home-assistant._tcp.local',
};

/** Answers come within 120 ms (RFC 6762 §6), on Wi-Fi within a second. Each time, what is missing is asked for. */
const ASK_AGAIN_MS = [600, 1_500];
const SEARCH_MS = 2_500;
const LIMITS = { records: 2_048, recordsPerSender: 256, strayAddresses: 256 };
/** A reflector between two networks sends the records of all hosts of the other. */
const MAX_PER_SENDER = 16;
const MAX_FOUND = 32;
const MAX_ADDRESSES = 4;
/** An instance has one server as a rule. */
const MAX_QUESTIONS = 64;

interface Deps {
  readonly network: MulticastNetwork;
  readonly clock: Clock;
}

export class MdnsServiceSearch implements ServiceSearch, Startable {
  readonly #deps: Deps;
  #running: Promise<readonly FoundService[]> | undefined;
  #end: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {}

  /** A search under way ends with what it has found. */
  stop(): void {
    this.#end();
  }

  search(): Promise<readonly FoundService[]> {
    this.#running ??= this.#search().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #search(): Promise<readonly FoundService[]> {
    const { network, clock } = this.#deps;
    const cache = new RecordCache({ limits: LIMITS });
    const browse = SERVICE_KINDS.map((kind): DnsQuestion => ({ name: TYPES[kind], type: 'PTR' }));
    const listener: NetworkListener = {
      onReady: (link) => void link.send(writeQuery(browse)),
      onPacket: (packet, { address }, link) =>
        receive(cache, packet, { sender: address, link, now: clock.monotonic() }),
    };
    const cancels = ASK_AGAIN_MS.map((afterMs) =>
      clock.after(afterMs, () => network.send(writeQuery(fitting([...browse, ...missing(cache)])))),
    );
    network.join(listener);
    await new Promise<void>((resolve) => {
      this.#end = resolve;
      cancels.push(clock.after(SEARCH_MS, resolve));
    });
    for (const cancel of cancels) cancel();
    network.leave(listener);
    return servicesIn(cache);
  }
}

interface Reception {
  readonly sender: string;
  readonly link: NetworkLink;
  readonly now: number;
}

function receive(cache: RecordCache, packet: Buffer, { sender, link, now }: Reception): void {
  const origin = { interfaceName: link.name, loopback: link.loopback, sender };
  // Services before the addresses of their hosts, which are strays until then.
  const records = (readResponse(packet) ?? []).filter(isOfUse).sort((a, b) => precedence(a) - precedence(b));
  for (const record of records) cache.put(record, origin, now);
}

function isOfUse(record: DnsRecord): boolean {
  switch (record.type) {
    case 'PTR':
      return kindOf(record) !== undefined;
    case 'SRV':
      return record.port > 0 && Object.values(TYPES).some((type) => nameKey(record.name).endsWith(`.${type}`));
    case 'TXT':
      return false;
    case 'A':
    case 'AAAA':
      return true;
  }
}

function kindOf({ name, target }: DnsRecordOf<'PTR'>): ServiceKind | undefined {
  const type = nameKey(name);
  return SERVICE_KINDS.find((kind) => TYPES[kind] === type && nameKey(target).endsWith(`.${type}`));
}

function precedence({ type }: DnsRecord): number {
  return ['PTR', 'SRV', 'A', 'AAAA'].indexOf(type);
}

function missing(cache: RecordCache): readonly DnsQuestion[] {
  const pointers = cache.all('PTR').filter(({ doomed }) => !doomed);
  return pointers.flatMap(({ record: { target } }): readonly DnsQuestion[] => {
    const servers = cache.get('SRV', target);
    if (servers.length === 0) return [{ name: target, type: 'SRV' }];
    return servers.flatMap(({ record }): readonly DnsQuestion[] =>
      cache.get('A', record.target).length > 0
        ? []
        : [
            { name: record.target, type: 'A' },
            { name: record.target, type: 'AAAA' },
          ],
    );
  });
}

/** As many questions as fit in one packet. */
function fitting(questions: readonly DnsQuestion[]): readonly DnsQuestion[] {
  let bytes = 0;
  return questions.slice(0, MAX_QUESTIONS).filter((question) => {
    bytes += questionBytes(question);
    return bytes <= MAX_MESSAGE_BYTES;
  });
}

/** By kind and name. One server is there once, under whichever names and over whichever interfaces it answers. */
function servicesIn(cache: RecordCache): readonly FoundService[] {
  const bySender = new Map<string, number>();
  const found = new Map<string, FoundService>();
  for (const pointer of cache.all('PTR').toSorted(byName)) {
    const kind = kindOf(pointer.record);
    if (kind === undefined || pointer.doomed) continue;
    for (const server of cache.get('SRV', pointer.record.target)) {
      if (server.doomed) continue;
      const service = serviceOf(cache, kind, server);
      if (!service) continue;
      const key = `${kind} ${service.port} ${service.addresses[0]}`;
      const count = bySender.get(server.origin.sender) ?? 0;
      if (found.has(key) || count >= MAX_PER_SENDER) continue;
      bySender.set(server.origin.sender, count + 1);
      found.set(key, service);
    }
  }
  const kindOrder = (service: FoundService) => SERVICE_KINDS.indexOf(service.kind);
  return [...found.values()].sort((a, b) => kindOrder(a) - kindOrder(b)).slice(0, MAX_FOUND);
}

function serviceOf(
  cache: RecordCache,
  kind: ServiceKind,
  { record }: CachedRecord<DnsRecordOf<'SRV'>>,
): FoundService | undefined {
  const received = [...cache.get('A', record.target), ...cache.get('AAAA', record.target)].filter(
    ({ doomed, origin, record: { address } }) => !doomed && (isLocal(address) || address === origin.sender),
  );
  const ranked = rankAddresses(
    received.map(({ record: { address }, origin, since }) => ({ address, ...origin, since })),
  );
  const [first] = ranked;
  if (first === undefined) return undefined;
  const name = [...showableName(instanceName(record.name))].slice(0, MAX_NAME_LENGTH).join('').trim();
  return { kind, name: name || first, addresses: ranked.slice(0, MAX_ADDRESSES), port: record.port };
}

function byName(a: CachedRecord<DnsRecordOf<'PTR'>>, b: CachedRecord<DnsRecordOf<'PTR'>>): number {
  const [one, other] = [nameKey(a.record.target), nameKey(b.record.target)];
  return one < other ? -1 : one > other ? 1 : 0;
}
