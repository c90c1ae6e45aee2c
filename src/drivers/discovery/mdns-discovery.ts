/**
 * Discovery over multicast DNS. This file only connects the parts: sockets that follow network changes, a record cache,
 * the querier that asks for missing and ageing records, the device table, and the manual entries. It is not a general
 * mDNS browser: it handles HAP servers only, over IPv4 multicast only, because accessories advertise their IPv6
 * addresses over IPv4 too. It publishes nothing: the advertiser does, over the same sockets.
 */
import type { HomeDeps } from '../../home/home-deps.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { appearancesOf, missingRecords } from './appearance.ts';
import { DeviceTable } from './device-table.ts';
import type { Advertisement, Discovery, Sighting } from './discovery.ts';
import { type DnsQuestion, type DnsRecord, readResponse } from './dns-message.ts';
import { nameKey } from './dns-name.ts';
import type { KnownAnswer } from './dns-writer.ts';
import { ManualEntries, type ManualEntriesDeps } from './manual-entries.ts';
import type { MulticastNetwork, NetworkListener } from './multicast-network.ts';
import { HAP_SERVICE, Querier } from './querier.ts';
import { type CachedRecord, isAddress, type Origin, RecordCache, type RecordCacheLimits } from './record-cache.ts';

export interface MdnsDiscoveryDeps extends HomeDeps<'clock' | 'logger'> {
  readonly network: MulticastNetwork;
  /** The initial `host:port` entries. */
  readonly manual?: readonly string[];
  /** For tests: the manual entries' resolver and port, the random source, and limits. */
  readonly unicast?: Pick<ManualEntriesDeps, 'port' | 'resolve'>;
  readonly random?: () => number;
  readonly limits?: Partial<RecordCacheLimits> & { readonly devices?: number };
}

/** At most one on-demand query per second (the limit of RFC 6762 §5.2). */
const REFRESH_INTERVAL_MS = 1_000;
/** Expiries and refreshes within this time are handled together. */
const SWEEP_INTERVAL_MS = 200;
/**
 * A device whose records all arrived within this time is a known answer to the browsing question. This is short
 * compared to the 75 minutes of a PTR record: the answer also brings the TXT record, and so a change whose announcement
 * was lost.
 */
const KNOWN_ANSWER_MS = 5 * 60_000;
/** If a host has more instances than this, the next sweep handles its address changes together. */
const MAX_TOUCHED_AT_ONCE = 16;
const INSTANCE_SUFFIX = `.${HAP_SERVICE}`;

export class MdnsDiscovery implements Discovery {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #cache: RecordCache;
  readonly #network: MulticastNetwork;
  readonly #ears: NetworkListener;
  readonly #querier: Querier;
  readonly #table: DeviceTable;
  readonly #manual: ManualEntries;
  readonly #manualAtStart: readonly string[];
  readonly #listeners = new Set<(sighting: Sighting) => void>();
  /** When each device was last queried on demand; the empty id stands for all. */
  readonly #refreshedAt = new Map<string, number>();
  /** Instances on hosts whose addresses changed since the last sweep. */
  readonly #moved = new Set<string>();
  #cancelSweep: (() => void) | undefined;
  #sweepAt = Number.POSITIVE_INFINITY;
  #running = false;

  constructor(deps: MdnsDiscoveryDeps) {
    const { clock, limits } = deps;
    const logger = deps.logger.child({ part: 'discovery' });
    this.#clock = clock;
    this.#logger = logger;
    this.#manualAtStart = deps.manual ?? [];
    this.#cache = new RecordCache({ ...(limits && { limits }), ...(deps.random && { random: deps.random }) });
    this.#network = deps.network;
    this.#ears = {
      onPacket: (packet, { address: sender }, { name, loopback }) =>
        this.#receive(packet, { interfaceName: name, loopback, sender }),
      onReady: () => this.#querier.restart(),
    };
    this.#querier = new Querier({
      clock,
      send: (packet) => this.#network.send(packet),
      knownAnswers: () => this.#knownAnswers(),
    });
    this.#table = new DeviceTable({
      clock,
      logger,
      onSighting: (sighting) => this.#notify(sighting),
      probe: (instance) => this.#probe(instance),
      ...(limits?.devices !== undefined && { maxDevices: limits.devices }),
    });
    this.#manual = new ManualEntries({
      ...deps.unicast,
      clock,
      logger,
      onKnown: (entry, advertisement) => this.#table.setManual(entry, advertisement),
    });
  }

  /** @throws `invalid_value` for a malformed manual entry */
  start(): void {
    if (this.#running) return;
    for (const entry of this.#manualAtStart) this.#manual.add(entry);
    this.#running = true;
    this.#network.join(this.#ears);
    this.#manual.start();
  }

  stop(): void {
    if (!this.#running) return;
    this.#running = false;
    this.#cancelSweep?.();
    this.#sweepAt = Number.POSITIVE_INFINITY;
    this.#manual.stop();
    this.#querier.stop();
    this.#network.leave(this.#ears);
    this.#table.clear();
    this.#cache.clear();
    this.#refreshedAt.clear();
    this.#moved.clear();
  }

  list(): readonly Advertisement[] {
    return this.#table.list();
  }

  find(deviceId: string): Advertisement | undefined {
    return this.#table.find(deviceId);
  }

  onSighting(listener: (sighting: Sighting) => void): () => void {
    const entry = (sighting: Sighting): void => listener(sighting);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  refresh(deviceId?: string): void {
    const instances = deviceId === undefined ? [] : this.#table.instancesOf(deviceId);
    if (!this.#running || !this.#mayRefresh(instances.length > 0 ? (deviceId ?? '').toUpperCase() : '')) return;
    this.#manual.refresh(deviceId);
    if (instances.length > 0) this.#querier.ask(instances.flatMap((instance) => this.#questionsAbout(instance)));
    else this.#querier.browseNow();
  }

  addManual(hostPort: string): void {
    this.#manual.add(hostPort);
  }

  removeManual(hostPort: string): void {
    this.#manual.remove(hostPort);
  }

  #mayRefresh(key: string): boolean {
    const now = this.#clock.monotonic();
    for (const [other, at] of this.#refreshedAt) if (now - at >= REFRESH_INTERVAL_MS) this.#refreshedAt.delete(other);
    if (this.#refreshedAt.has(key)) return false;
    this.#refreshedAt.set(key, now);
    return true;
  }

  /** Processes one packet: goodbyes first, because a packet may contain both a goodbye and its successor. */
  #receive(packet: Buffer, origin: Origin): void {
    const records = (readResponse(packet) ?? []).filter(isOfUse).sort((a, b) => precedence(a) - precedence(b));
    if (records.length === 0) return;
    const now = this.#clock.monotonic();
    /** Whether each instance was received, rather than withdrawn by a goodbye. */
    const touched = new Map<string, boolean>();
    for (const record of records) {
      const outcome = this.#cache.put(record, origin, now);
      // A repeated address changes nothing for the many instances that one host may have.
      if (outcome === 'refused' || (outcome === 'renewed' && isAddress(record))) continue;
      const received = record.ttlSeconds > 0;
      const instances = this.#instancesOf(record);
      for (const instance of instances) {
        if (instances.length > MAX_TOUCHED_AT_ONCE) this.#moved.add(instance);
        else touched.set(instance, received || touched.get(instance) === true);
      }
    }
    for (const [instance, received] of touched) this.#update(instance, received);
    this.#armSweep();
  }

  /** Instances that a record affects. */
  #instancesOf(record: DnsRecord): readonly string[] {
    if (record.type === 'PTR') return [nameKey(record.target)];
    return isAddress(record) ? this.#cache.instancesOn(record.name) : [nameKey(record.name)];
  }

  #update(instance: string, received: boolean): void {
    this.#table.update(instance, appearancesOf(this.#cache, instance), received);
    this.#querier.want(instance, missingRecords(this.#cache, instance));
  }

  /** Handles expired and ageing records, and schedules the next sweep. */
  #sweep(): void {
    const { expired, stale } = this.#cache.sweep(this.#clock.monotonic());
    const touched = new Set([...this.#moved, ...expired.flatMap(({ record }) => this.#instancesOf(record))]);
    this.#moved.clear();
    for (const instance of touched) this.#update(instance, false);
    this.#querier.ask(stale.flatMap(({ record }) => this.#questionFor(record)));
    this.#armSweep();
  }

  #armSweep(): void {
    const now = this.#clock.monotonic();
    const dueAt = this.#moved.size > 0 ? now : this.#cache.nextDueAt;
    const at = Math.max(dueAt, now + SWEEP_INTERVAL_MS);
    if (!this.#running || at === Number.POSITIVE_INFINITY || at >= this.#sweepAt) return;
    this.#cancelSweep?.();
    this.#sweepAt = at;
    this.#cancelSweep = this.#clock.after(at - now, () => {
      this.#sweepAt = Number.POSITIVE_INFINITY;
      this.#sweep();
    });
  }

  /** The question that refreshes a record; addresses of hosts without a HAP service are not refreshed. */
  #questionFor(record: DnsRecord): readonly DnsQuestion[] {
    const isStray = isAddress(record) && this.#cache.instancesOn(record.name).length === 0;
    return isStray ? [] : [{ name: record.name, type: record.type }];
  }

  #questionsAbout(instance: string): readonly DnsQuestion[] {
    const services = this.#cache.get('SRV', instance);
    const hosts = new Set(services.map(({ record }) => record.target));
    return [
      { name: services[0]?.record.name ?? instance, type: 'SRV' },
      { name: services[0]?.record.name ?? instance, type: 'TXT' },
      ...[...hosts].flatMap((name): DnsQuestion[] => [
        { name, type: 'A' },
        { name, type: 'AAAA' },
      ]),
    ];
  }

  /** Probes the holder of an id three times. */
  #probe(instance: string): void {
    const name = this.#cache.get('SRV', instance)[0]?.record.name ?? instance;
    const owner = `probe ${instance}`;
    this.#querier.want(owner, []);
    this.#querier.want(owner, [{ key: owner, question: { name, type: 'SRV' } }]);
  }

  #knownAnswers(): readonly KnownAnswer[] {
    const now = this.#clock.monotonic();
    return this.#cache.all('PTR').flatMap((received) => {
      const { record, expiresAt } = received;
      const leftMs = expiresAt - now;
      // RFC 6762 §7.1: only with more than half of its TTL left.
      const isFresh = !received.doomed && leftMs > (record.ttlSeconds * 1_000) / 2;
      if (!isFresh || !this.#isCompleteFromSender(received, now)) return [];
      return { name: HAP_SERVICE, target: record.target, ttlSeconds: Math.floor(leftMs / 1_000) };
    });
  }

  #isCompleteFromSender({ record, originKey }: CachedRecord<DnsRecord & { type: 'PTR' }>, now: number): boolean {
    return (['SRV', 'TXT'] as const).every((type) =>
      this.#cache
        .get(type, record.target)
        .some((other) => other.originKey === originKey && !other.doomed && now - other.receivedAt < KNOWN_ANSWER_MS),
    );
  }

  #notify(sighting: Sighting): void {
    if (!this.#running) return;
    for (const listener of [...this.#listeners]) {
      try {
        listener(sighting);
      } catch (error) {
        this.#logger.error({ error: messageOf(error) }, 'A discovery listener failed');
      }
    }
  }
}

/** Whether a record is of a HAP service or an address; all others are ignored. */
function isOfUse(record: DnsRecord): boolean {
  switch (record.type) {
    case 'PTR':
      return nameKey(record.name) === HAP_SERVICE && nameKey(record.target).endsWith(INSTANCE_SUFFIX);
    case 'SRV':
    case 'TXT':
      return nameKey(record.name).endsWith(INSTANCE_SUFFIX);
    case 'A':
    case 'AAAA':
      return true;
  }
}

/** Sort order: goodbyes, then services before the addresses of their hosts. */
function precedence(record: DnsRecord): number {
  return (record.ttlSeconds === 0 ? 0 : 10) + ['PTR', 'SRV', 'TXT', 'A', 'AAAA'].indexOf(record.type);
}
