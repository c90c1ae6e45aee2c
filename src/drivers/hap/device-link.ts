/**
 * One paired device as the driver sees it: it answers the session's questions (keys, addresses, cache, limits) from the stores and
 * the latest advertisement, and passes what the session reports on to the home.
 */
import type { DriverSink, ReportedValue } from '../../home/accessory-driver.ts';
import type { HapId } from '../../home/model.ts';
import type { ConnectionStatus, PairedDevice } from '../../home/pairing-driver.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Discovery, isUnpaired } from '../discovery/discovery.ts';
import { hostPortText } from '../discovery/host-port.ts';
import type { AccessoryCache, CachedDatabase } from './accessory-cache.ts';
import type { AttributeDatabase } from './accessory-database.ts';
import { AccessorySession } from './accessory-session.ts';
import type { DeviceLimitsStore } from './device-limits-store.ts';
import { type HostPort, labelOf } from './dial.ts';
import type { PairingKeys } from './exchange.ts';
import type { LimitsMemory } from './limits.ts';
import { addressesOf } from './nearby-devices.ts';
import type { PairingRecord, PairingStore } from './pairing/pairing-store.ts';
import { remember } from './remember.ts';
import type { SessionEnvironment, SessionHost } from './session-host.ts';
import { Signal } from './signal.ts';
import { informationOf, toHome } from './to-home.ts';

export interface LinkParts {
  readonly discovery: Discovery;
  readonly pairings: PairingStore;
  readonly cache: AccessoryCache;
  readonly limits: DeviceLimitsStore;
  readonly sink: DriverSink;
  readonly clock: Clock;
  readonly environment: SessionEnvironment;
  /** It had been away and is connected again. */
  readonly onReturned: () => void;
  /** What `present` says of it changed. */
  readonly onChanged: () => void;
}

export class DeviceLink implements SessionHost {
  readonly keys: PairingKeys;
  readonly limits: LimitsMemory;
  readonly session: AccessorySession;
  readonly record: PairingRecord;
  readonly #parts: LinkParts;
  #cached: CachedDatabase | undefined;
  #status: ConnectionStatus = 'offline';
  #statusDetail: string | null = null;
  #since: number;
  #address: HostPort | undefined;
  /** As last told: the server as a whole, and the children that are away although it answers. */
  #reachable = false;
  readonly #awayAids = new Set<HapId>();
  /** Starts and stops, one after the other, however quickly they are asked for. */
  #change: Promise<void> = Promise.resolve();
  /** Pulsed at every change of status. */
  readonly #changed: Signal;
  #isRunning = false;

  constructor(record: PairingRecord, parts: LinkParts) {
    this.record = record;
    this.keys = record.keys;
    this.#parts = parts;
    this.#since = parts.clock.now();
    this.#changed = new Signal(parts.clock);
    this.limits = {
      load: () => parts.limits.load(this.deviceId),
      save: (limits) => this.#remember(() => parts.limits.save(this.deviceId, limits, parts.clock.now())),
    };
    this.session = new AccessorySession(this, parts.environment);
  }

  get deviceId(): string {
    return this.keys.deviceId;
  }

  /** Tells the home what was there last time, so that it is whole before the device answers. */
  describeFromCache(): void {
    this.#cached = this.#parts.cache.load(this.deviceId);
    if (this.#cached) this.#describe(this.#cached.database);
  }

  start(): void {
    this.#isRunning = true;
    this.#change = this.#change.then(() => this.session.start());
  }

  pause(): void {
    void this.#end('paused', 'Its home is paused; resume it with: hearthd home resume');
  }

  stop(): Promise<void> {
    return this.#end('offline', null);
  }

  /** Resolves when it is connected or won't be soon (its pairing is lost, it was stopped or paused), or `deadlineMs` are over. */
  async settled(deadlineMs: number): Promise<void> {
    const until = this.#parts.clock.monotonic() + deadlineMs;
    while (this.#isRunning && this.#status !== 'connected' && this.#status !== 'pairing_lost') {
      const left = until - this.#parts.clock.monotonic();
      if (left <= 0) return;
      await this.#changed.wait(left);
    }
  }

  present(): PairedDevice {
    const advertisement = this.#parts.discovery.find(this.deviceId);
    const { name, model, category } = advertisement ?? this.record;
    const { reconnects, notifications, polls, lastHeardAt, latencyMs, lastFault } = this.session.stats;
    const database = this.#cached?.database ?? [];
    const seen = Math.max(lastHeardAt ?? 0, advertisement?.lastSeenAt ?? 0);
    return {
      deviceId: this.deviceId,
      homeId: this.record.homeId,
      name,
      model,
      category,
      status: this.#status,
      statusDetail: this.#statusDetail,
      since: this.#since,
      address: this.#address ? hostPortText(this.#address) : null,
      reconnects,
      pairedAt: this.record.pairedAt,
      ...informationOf(database[0]?.services ?? []),
      accessoryCount: database.length,
      lastSeenAt: seen === 0 ? null : seen,
      latencyMs: latencyMs === null ? null : Math.round(latencyMs),
      notifications,
      polls,
      lastError: lastFault?.sentence ?? null,
      lastErrorAt: lastFault?.at ?? null,
      lastErrorReason: lastFault?.reason ?? null,
    };
  }

  candidates(): readonly HostPort[] {
    const advertisement = this.#parts.discovery.find(this.deviceId);
    const advertised = advertisement ? addressesOf(advertisement) : [];
    // mDNS may be silent for days while the device sits where it always sat: the last address that worked is the fallback.
    const last = this.#address ?? this.#parts.pairings.lastAddress(this.deviceId);
    if (!last || advertised.some((address) => labelOf(address) === labelOf(last))) return advertised;
    return [...advertised, last];
  }

  configNumber(): number | null {
    return this.#parts.discovery.find(this.deviceId)?.configNumber ?? null;
  }

  advertisesUnpaired(): boolean {
    const advertisement = this.#parts.discovery.find(this.deviceId);
    return advertisement !== undefined && isUnpaired(advertisement);
  }

  cachedDatabase(): CachedDatabase | undefined {
    return this.#cached;
  }

  onDatabase(database: AttributeDatabase, raw: string, configNumber: number | null): void {
    const { cache, clock } = this.#parts;
    this.#cached = { configNumber, database };
    this.#remember(() => cache.save(this.deviceId, configNumber, raw, clock.now()));
    this.#describe(database);
    this.#parts.onChanged();
  }

  onValues(values: readonly ReportedValue[]): void {
    this.#parts.sink.report(this.deviceId, values);
  }

  onReachable(reachable: boolean, aid?: HapId, away: ReadonlySet<HapId> = new Set()): void {
    if (aid === undefined) {
      this.#reachable = reachable;
      this.#awayAids.clear();
      for (const child of away) this.#awayAids.add(child);
    } else if (reachable) this.#awayAids.delete(aid);
    else this.#awayAids.add(aid);
    if (away.size === 0) this.#parts.sink.setReachable(this.deviceId, reachable, aid);
    else this.#reportAllBut(away, reachable);
  }

  #reportAllBut(away: ReadonlySet<HapId>, reachable: boolean): void {
    for (const { aid } of this.#cached?.database ?? []) {
      if (!away.has(aid)) this.#parts.sink.setReachable(this.deviceId, reachable, aid);
    }
  }

  onStatus(status: ConnectionStatus, detail: string | null): void {
    const before = this.#status;
    if (status !== before) this.#since = this.#parts.clock.now();
    this.#status = status;
    // It may be elsewhere by now, and its announcement lost on the way. Asked twice an outage, as there may be hundreds of them.
    const isOutage = this.#isRunning && status !== before && (before === 'connected' || status === 'offline');
    if (isOutage) this.#parts.discovery.refresh(this.deviceId);
    this.#statusDetail = detail;
    this.#changed.pulse();
    this.#parts.onChanged();
    if (before === 'offline' && status === 'connected') this.#parts.onReturned();
  }

  onConnectedTo(address: HostPort): void {
    this.#address = address;
    this.#remember(() => this.#parts.pairings.saveAddress(this.deviceId, address));
  }

  #remember(save: () => void): void {
    remember(this.#parts.environment, this.deviceId, save);
  }

  #end(status: 'offline' | 'paused', detail: string | null): Promise<void> {
    this.#isRunning = false;
    this.#change = this.#change.then(async () => {
      await this.session.stop();
      this.onStatus(status, detail);
    });
    return this.#change;
  }

  #describe(database: AttributeDatabase): void {
    const server = this.#parts.discovery.find(this.deviceId) ?? this.record;
    this.#parts.sink.describe(this.record.homeId, this.deviceId, toHome(database, server));
    // Accessories that are new to the home, or back in it, start unreachable there.
    if (this.#reachable) this.#reportAllBut(this.#awayAids, true);
  }
}
