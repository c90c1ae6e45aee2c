/**
 * One paired device for the driver: it gives the session its keys, addresses, cache and limits from the stores and the
 * latest advertisement, and forwards the session's reports to the home model.
 */
import type { DriverSink, ReportedValue } from '../../../home/accessory-driver.ts';
import type { HapId } from '../../../home/model.ts';
import type { ConnectionStatus, DeviceTrace, PairedDevice } from '../../../home/pairing-driver.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { type Discovery, isUnpaired } from '../../discovery/discovery.ts';
import { hostPortText } from '../../discovery/host-port.ts';
import type { AccessoryCache, CachedDatabase } from '../accessory-cache.ts';
import type { DeviceLimitsStore } from '../device-limits-store.ts';
import { addressesOf } from '../nearby-devices.ts';
import type { PairingRecord, PairingStore } from '../pairing/pairing-store.ts';
import { informationOf, toHome } from '../to-home.ts';
import type { AttributeDatabase } from '../wire/accessory-database.ts';
import { type HostPort, labelOf } from '../wire/dial.ts';
import type { PairingKeys } from '../wire/exchange.ts';
import type { LimitsMemory } from '../wire/limits.ts';
import { AccessorySession } from './accessory-session.ts';
import type { AccessorySessionDeps, SessionHost } from './session-host.ts';
import { Signal } from './signal.ts';
import { trySave } from './try-save.ts';

export interface DeviceLinkDeps {
  readonly discovery: Discovery;
  readonly pairings: PairingStore;
  readonly cache: AccessoryCache;
  readonly limits: DeviceLimitsStore;
  readonly sink: DriverSink;
  readonly clock: Clock;
  readonly environment: AccessorySessionDeps;
  /** The device was unreachable and is connected again. */
  readonly onReturned: () => void;
  /** The result of `present` changed. */
  readonly onChanged: () => void;
}

export class DeviceLink implements SessionHost {
  readonly keys: PairingKeys;
  readonly limits: LimitsMemory;
  readonly session: AccessorySession;
  readonly record: PairingRecord;
  readonly #deps: DeviceLinkDeps;
  #cached: CachedDatabase | undefined;
  #status: ConnectionStatus = 'offline';
  #statusDetail: string | null = null;
  #since: number;
  #address: HostPort | undefined;
  /** As last reported: the server as a whole, and the children that are unreachable although it answers. */
  #reachable = false;
  readonly #awayAids = new Set<HapId>();
  /** Serializes starts and stops. */
  #change: Promise<void> = Promise.resolve();
  /** Pulsed at every status change. */
  readonly #changed: Signal;
  #isRunning = false;
  #reconnecting: Promise<void> | undefined;

  constructor(record: PairingRecord, deps: DeviceLinkDeps) {
    this.record = record;
    this.keys = record.keys;
    this.#deps = deps;
    this.#since = deps.clock.now();
    this.#changed = new Signal(deps.clock);
    this.limits = {
      load: () => deps.limits.load(this.deviceId),
      save: (limits) => this.#remember(() => deps.limits.save(this.deviceId, limits, deps.clock.now())),
    };
    this.session = new AccessorySession(this, deps.environment);
  }

  get deviceId(): string {
    return this.keys.deviceId;
  }

  get name(): string {
    return this.record.name;
  }

  /** Describes the cached database to the home, so that the home is complete before the device answers. */
  describeFromCache(): void {
    this.#cached = this.#deps.cache.load(this.deviceId);
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

  /**
   * Drops the connection or the wait for the next attempt, and connects at once. One request after another joins the
   * first, so that the device is not kept from connecting. Does nothing while it is stopped or paused.
   * @returns as `settled`
   */
  reconnect(deadlineMs: number): Promise<void> {
    this.#reconnecting ??= this.#restart(deadlineMs).finally(() => {
      this.#reconnecting = undefined;
    });
    return this.#reconnecting;
  }

  async #restart(deadlineMs: number): Promise<void> {
    this.#change = this.#change.then(async () => {
      if (!this.#isRunning) return;
      // It may have moved, and its announcement may be lost.
      this.#deps.discovery.refresh(this.deviceId);
      await this.session.stop();
      // It may have been stopped or paused meanwhile.
      if (this.#isRunning) this.session.start();
    });
    await this.#change;
    await this.settled(deadlineMs);
  }

  /** Resolves when it is connected or won't be soon (pairing lost, stopped or paused), or after `deadlineMs`. */
  async settled(deadlineMs: number): Promise<void> {
    const until = this.#deps.clock.monotonic() + deadlineMs;
    while (this.#isRunning && this.#status !== 'connected' && this.#status !== 'pairing_lost') {
      const left = until - this.#deps.clock.monotonic();
      if (left <= 0) return;
      await this.#changed.wait(left);
    }
  }

  present(): PairedDevice {
    const advertisement = this.#deps.discovery.find(this.deviceId);
    const { name, model, category } = advertisement ?? this.record;
    const { reconnects, notifications, polls, lastReceivedAt, latencyMs, lastFault } = this.session.stats;
    const database = this.#cached?.database ?? [];
    const seen = Math.max(lastReceivedAt ?? 0, advertisement?.lastSeenAt ?? 0);
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

  trace(): DeviceTrace {
    const { configNumber = null, database: accessories = [] } = this.#cached ?? {};
    return { configNumber, accessories, ...this.session.history };
  }

  candidates(): readonly HostPort[] {
    const advertisement = this.#deps.discovery.find(this.deviceId);
    const advertised = advertisement ? addressesOf(advertisement) : [];
    // mDNS may be silent for days although the device has not moved: the last address that worked is the fallback.
    const last = this.#address ?? this.#deps.pairings.lastAddress(this.deviceId);
    if (!last || advertised.some((address) => labelOf(address) === labelOf(last))) return advertised;
    return [...advertised, last];
  }

  configNumber(): number | null {
    return this.#deps.discovery.find(this.deviceId)?.configNumber ?? null;
  }

  advertisesUnpaired(): boolean {
    const advertisement = this.#deps.discovery.find(this.deviceId);
    return advertisement !== undefined && isUnpaired(advertisement);
  }

  cachedDatabase(): CachedDatabase | undefined {
    return this.#cached;
  }

  onDatabase(database: AttributeDatabase, raw: string, configNumber: number | null): void {
    const { cache, clock } = this.#deps;
    this.#cached = { configNumber, database };
    this.#remember(() => cache.save(this.deviceId, configNumber, raw, clock.now()));
    this.#describe(database);
    this.#deps.onChanged();
  }

  onValues(values: readonly ReportedValue[]): void {
    this.#deps.sink.report(this.deviceId, values);
  }

  onReachable(reachable: boolean, aid?: HapId, away: ReadonlySet<HapId> = new Set()): void {
    if (aid === undefined) {
      this.#reachable = reachable;
      this.#awayAids.clear();
      for (const child of away) this.#awayAids.add(child);
    } else if (reachable) this.#awayAids.delete(aid);
    else this.#awayAids.add(aid);
    if (away.size === 0) this.#deps.sink.setReachable(this.deviceId, reachable, aid);
    else this.#reportAllBut(away, reachable);
  }

  #reportAllBut(away: ReadonlySet<HapId>, reachable: boolean): void {
    for (const { aid } of this.#cached?.database ?? []) {
      if (!away.has(aid)) this.#deps.sink.setReachable(this.deviceId, reachable, aid);
    }
  }

  onStatus(status: ConnectionStatus, detail: string | null): void {
    const before = this.#status;
    if (status !== before) this.#since = this.#deps.clock.now();
    this.#status = status;
    // The device may have moved, and its announcement may be lost. At most two queries per outage, because hundreds of
    // devices may be out.
    const isOutage = this.#isRunning && status !== before && (before === 'connected' || status === 'offline');
    if (isOutage) this.#deps.discovery.refresh(this.deviceId);
    this.#statusDetail = detail;
    this.#changed.pulse();
    this.#deps.onChanged();
    if (before === 'offline' && status === 'connected') this.#deps.onReturned();
  }

  onConnectedTo(address: HostPort): void {
    this.#address = address;
    this.#remember(() => this.#deps.pairings.saveAddress(this.deviceId, address));
  }

  #remember(save: () => void): void {
    trySave(this.#deps.environment, this, save);
  }

  #end(status: 'offline' | 'paused', detail: string | null): Promise<void> {
    this.#isRunning = false;
    this.#change = this.#change.then(async () => {
      await this.session.stop();
      if (status === 'paused') this.session.gone();
      this.onStatus(status, detail);
    });
    return this.#change;
  }

  #describe(database: AttributeDatabase): void {
    const server = this.#deps.discovery.find(this.deviceId) ?? this.record;
    this.#deps.sink.describe(this.record.homeId, this.deviceId, toHome(database, server));
    // Accessories that are new to the home, or back in it, start as unreachable there.
    if (this.#reachable) this.#reportAllBut(this.#awayAids, true);
  }
}
