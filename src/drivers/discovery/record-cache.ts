/**
 * Recent DNS records with their time to live (RFC 6762 §10), independent of packets and their order. Records are
 * separate per origin (our interface and the sender's address), because names are not unique in practice: two servers
 * that are both named "Lamp" must not overwrite each other. Memory is bounded: new records beyond the limits are
 * refused, and never evict known ones.
 */
import { type DnsRecord, type DnsRecordOf, type RecordType, sameData } from './dns-message.ts';
import { nameKey } from './dns-name.ts';

/** Where a record was received from. */
export interface Origin {
  readonly interfaceName: string;
  readonly loopback: boolean;
  readonly sender: string;
}

export interface CachedRecord<R extends DnsRecord = DnsRecord> {
  readonly record: R;
  readonly origin: Origin;
  readonly originKey: string;
  /** When this record first appeared, and when it was last received: monotonic milliseconds. */
  readonly since: number;
  readonly receivedAt: number;
  readonly expiresAt: number;
  /** Withdrawn or replaced: it expires within a second unless it is received again. */
  readonly doomed: boolean;
}

type Entry = { -readonly [K in keyof CachedRecord]: CachedRecord[K] } & {
  readonly slot: string;
  refreshesSent: number;
  dueAt: number;
};

/** The result of `put`: no room for the record, no change, or a change. */
export type PutOutcome = 'refused' | 'renewed' | 'changed';

/** Service instances on one host, and the origins that advertise them. */
interface CachedHost {
  readonly instances: Map<string, number>;
  readonly origins: Map<string, number>;
}

export interface RecordCacheLimits {
  readonly records: number;
  /** Prevents a single host from filling the cache. */
  readonly recordsPerSender: number;
  /** Addresses of hosts without a known service; kept because a packet with the service may follow. */
  readonly strayAddresses: number;
}

/** A home of 500 accessory servers needs about 2,500 records. */
const LIMITS: RecordCacheLimits = { records: 16_384, recordsPerSender: 8_192, strayAddresses: 2_048 };
/** Records of one name and type: several origins, several addresses each. */
const MAX_PER_SLOT = 64;
/** An address change of a host causes work for each. With Avahi, many bridges share one host name. */
const MAX_INSTANCES_PER_HOST = 1_024;
/** RFC 6763 §6.2 recommends that a TXT record fits one Ethernet packet; HAP's takes about 100 bytes. */
const MAX_TXT_BYTES = 1_300;
/** RFC 6762 §10: the longest recommended TTL. A record with a longer one is refreshed earlier. */
const MAX_TTL_SECONDS = 75 * 60;
/** RFC 6762 §10.1 and §10.2: a withdrawn or replaced record stays for one more second. */
const GOODBYE_GRACE_MS = 1_000;
/**
 * RFC 6762 §5.2: query again at 80, 85, 90 and 95 % of the TTL, plus up to 2 % so that hosts do not ask at the same
 * time.
 */
const REFRESH_POINTS = [0.8, 0.85, 0.9, 0.95];
const REFRESH_JITTER = 0.02;

export class RecordCache {
  readonly #limits: RecordCacheLimits;
  readonly #random: () => number;
  /** By type and name; PTR records by the instance they point to. */
  readonly #slots = new Map<string, Entry[]>();
  readonly #perSender = new Map<string, number>();
  /** Hosts that are SRV targets. */
  readonly #hosts = new Map<string, CachedHost>();
  #size = 0;
  #strayAddresses = 0;
  #nextDueAt = Number.POSITIVE_INFINITY;

  constructor(options: { readonly limits?: Partial<RecordCacheLimits>; readonly random?: () => number } = {}) {
    this.#limits = { ...LIMITS, ...options.limits };
    this.#random = options.random ?? Math.random;
  }

  get size(): number {
    return this.#size;
  }

  /** When `sweep` is next due; may be earlier than necessary, never later. */
  get nextDueAt(): number {
    return this.#nextDueAt;
  }

  /** Adds or renews one record. */
  put(record: DnsRecord, origin: Origin, now: number): PutOutcome {
    const entry = this.#entryOf(record, origin, now);
    if (record.ttlSeconds === 0) {
      this.#sendGoodbye(entry, now);
      return 'changed';
    }
    if (record.type === 'TXT' && byteLength(record.strings) > MAX_TXT_BYTES) return 'refused';
    const siblings = (this.#slots.get(entry.slot) ?? []).filter(({ originKey }) => originKey === entry.originKey);
    const known = siblings.find((other) => sameData(other.record, record));
    if (!known && !this.#hasRoomFor(entry, siblings)) return 'refused';
    if (known) entry.since = known.since;
    const isNews = !known || known.doomed;
    for (const sibling of siblings) {
      // A server has one SRV and one TXT record per instance, and one PTR record to it, with or without the flush bit.
      if (sibling === known || !isAddress(record)) this.#remove(sibling);
      else if (record.flush && now - sibling.receivedAt > GOODBYE_GRACE_MS) this.#doom(sibling, now);
    }
    this.#add(entry);
    return isNews ? 'changed' : 'renewed';
  }

  /** Every record of this type and name; for PTR, every record that points to this name. */
  get<T extends RecordType>(type: T, name: string): readonly CachedRecord<DnsRecordOf<T>>[] {
    return (this.#slots.get(slotOf(type, name)) ?? []) as unknown as readonly CachedRecord<DnsRecordOf<T>>[];
  }

  /** Every record of this type. */
  all<T extends RecordType>(type: T): readonly CachedRecord<DnsRecordOf<T>>[] {
    const found: Entry[] = [];
    for (const entries of this.#slots.values()) if (entries[0]?.record.type === type) found.push(...entries);
    return found as unknown as readonly CachedRecord<DnsRecordOf<T>>[];
  }

  /** Keys of the service instances whose SRV target is this host. */
  instancesOn(host: string): readonly string[] {
    return [...(this.#hosts.get(nameKey(host))?.instances.keys() ?? [])];
  }

  /** Whether this origin advertises an instance on a host of that name. */
  presentsOn(host: string, originKey: string): boolean {
    return this.#hosts.get(nameKey(host))?.origins.has(originKey) ?? false;
  }

  /** Removes expired records, and returns those to refresh before they expire. */
  sweep(now: number): { readonly expired: readonly CachedRecord[]; readonly stale: readonly CachedRecord[] } {
    const expired: Entry[] = [];
    const stale: Entry[] = [];
    if (now < this.#nextDueAt) return { expired, stale };
    this.#nextDueAt = Number.POSITIVE_INFINITY;
    for (const entry of [...this.#slots.values()].flat()) {
      if (entry.expiresAt <= now) {
        this.#remove(entry);
        expired.push(entry);
        continue;
      }
      if (entry.dueAt <= now) {
        stale.push(entry);
        entry.refreshesSent += 1;
        this.#plan(entry);
      }
      this.#nextDueAt = Math.min(this.#nextDueAt, entry.dueAt);
    }
    return { expired, stale };
  }

  clear(): void {
    this.#slots.clear();
    this.#perSender.clear();
    this.#hosts.clear();
    this.#size = 0;
    this.#strayAddresses = 0;
    this.#nextDueAt = Number.POSITIVE_INFINITY;
  }

  #entryOf(record: DnsRecord, origin: Origin, now: number): Entry {
    const ttlMs = Math.min(record.ttlSeconds, MAX_TTL_SECONDS) * 1_000;
    return {
      record,
      origin,
      originKey: originKey(origin),
      since: now,
      receivedAt: now,
      expiresAt: now + ttlMs,
      doomed: false,
      slot: slotOf(record.type, record.type === 'PTR' ? record.target : record.name),
      refreshesSent: 0,
      dueAt: 0,
    };
  }

  #hasRoomFor(entry: Entry, siblings: readonly Entry[]): boolean {
    const { record } = entry;
    const host = record.type === 'SRV' ? this.#hosts.get(nameKey(record.target))?.instances : undefined;
    if (host && host.size >= MAX_INSTANCES_PER_HOST && !host.has(nameKey(record.name))) return false;
    // SRV, TXT and PTR records replace their predecessor.
    if (!isAddress(record) && siblings.length > 0) return true;
    return (
      this.#size < this.#limits.records &&
      (this.#perSender.get(entry.origin.sender) ?? 0) < this.#limits.recordsPerSender &&
      (this.#slots.get(entry.slot)?.length ?? 0) < MAX_PER_SLOT &&
      (!this.#isStray(entry) || this.#strayAddresses < this.#limits.strayAddresses)
    );
  }

  /**
   * Applies a goodbye. From an origin that never sent this name (a server with two addresses), it applies to every
   * origin. A goodbye for the PTR record removes the whole instance (RFC 6763 §4.1): servers seldom withdraw the rest.
   */
  #sendGoodbye(goodbye: Entry, now: number): void {
    const { record } = goodbye;
    const others = this.#slots.get(goodbye.slot) ?? [];
    const own = others.filter(({ originKey }) => originKey === goodbye.originKey);
    for (const entry of own.length > 0 ? own : others) {
      if (isAddress(record) && !sameData(entry.record, record)) continue;
      this.#doom(entry, now);
      if (record.type !== 'PTR') continue;
      for (const type of ['SRV', 'TXT'] as const) {
        for (const part of this.#slots.get(slotOf(type, record.target)) ?? []) {
          if (part.originKey === entry.originKey) this.#doom(part, now);
        }
      }
    }
  }

  #doom(entry: Entry, now: number): void {
    entry.doomed = true;
    entry.expiresAt = Math.min(entry.expiresAt, now + GOODBYE_GRACE_MS);
    this.#plan(entry);
  }

  #add(entry: Entry): void {
    const entries = this.#slots.get(entry.slot);
    if (entries) entries.push(entry);
    else this.#slots.set(entry.slot, [entry]);
    this.#size += 1;
    count(this.#perSender, entry.origin.sender, 1);
    if (entry.record.type === 'SRV') this.#countInstance(entry.record, entry.originKey, 1);
    if (this.#isStray(entry)) this.#strayAddresses += 1;
    this.#plan(entry);
  }

  #remove(entry: Entry): void {
    const entries = this.#slots.get(entry.slot) ?? [];
    const at = entries.indexOf(entry);
    if (at < 0) return;
    entries.splice(at, 1);
    if (entries.length === 0) this.#slots.delete(entry.slot);
    this.#size -= 1;
    count(this.#perSender, entry.origin.sender, -1);
    if (this.#isStray(entry)) this.#strayAddresses -= 1;
    if (entry.record.type === 'SRV') this.#countInstance(entry.record, entry.originKey, -1);
  }

  #isStray({ record }: Entry): boolean {
    return isAddress(record) && !this.#hosts.has(nameKey(record.name));
  }

  /** Counts an instance in or out. With a host's first or last instance, its addresses stop or start being strays. */
  #countInstance({ name, target }: DnsRecordOf<'SRV'>, originKey: string, step: 1 | -1): void {
    const key = nameKey(target);
    const known = this.#hosts.get(key);
    const host = known ?? { instances: new Map<string, number>(), origins: new Map<string, number>() };
    count(host.instances, nameKey(name), step);
    count(host.origins, originKey, step);
    if (host.instances.size > 0) this.#hosts.set(key, host);
    else this.#hosts.delete(key);
    const addresses = this.get('A', key).length + this.get('AAAA', key).length;
    if (!known) this.#strayAddresses -= addresses;
    else if (host.instances.size === 0) this.#strayAddresses += addresses;
  }

  #plan(entry: Entry): void {
    const point = entry.doomed ? undefined : REFRESH_POINTS[entry.refreshesSent];
    const share = point === undefined ? 1 : point + this.#random() * REFRESH_JITTER;
    entry.dueAt = entry.doomed ? entry.expiresAt : entry.receivedAt + (entry.expiresAt - entry.receivedAt) * share;
    this.#nextDueAt = Math.min(this.#nextDueAt, entry.dueAt);
  }
}

export function originKey({ interfaceName, sender }: Origin): string {
  return `${interfaceName} ${sender}`;
}

/** Adds to a tally and removes entries of zero. */
function count(tally: Map<string, number>, key: string, step: 1 | -1): void {
  const sum = (tally.get(key) ?? 0) + step;
  if (sum > 0) tally.set(key, sum);
  else tally.delete(key);
}

function slotOf(type: RecordType, name: string): string {
  return `${type} ${nameKey(name)}`;
}

export function isAddress(record: DnsRecord): record is DnsRecordOf<'A' | 'AAAA'> {
  return record.type === 'A' || record.type === 'AAAA';
}

function byteLength(strings: readonly Buffer[]): number {
  return strings.reduce((sum, string) => sum + string.length + 1, 0);
}
