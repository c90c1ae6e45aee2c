/** A session with a scripted accessory over real sockets, and all reports of the session to its owner. */

import { AccessorySession } from '../../../../src/drivers/hap/session/accessory-session.ts';
import type { AccessorySessionDeps, SessionHost } from '../../../../src/drivers/hap/session/session-host.ts';
import type { AttributeDatabase } from '../../../../src/drivers/hap/wire/accessory-database.ts';
import type { HostPort } from '../../../../src/drivers/hap/wire/dial.ts';
import type { PairingKeys } from '../../../../src/drivers/hap/wire/exchange.ts';
import type { Limits } from '../../../../src/drivers/hap/wire/limits.ts';
import type { ReportedValue, WriteOutcome } from '../../../../src/home/accessory-driver.ts';
import type { CharacteristicValue, HapId } from '../../../../src/home/model.ts';
import type { ConnectionStatus } from '../../../../src/home/pairing-driver.ts';
import { type Clock, systemClock } from '../../../../src/kernel/clock.ts';
import { LogThrottle, silentLogger } from '../../../../src/kernel/logger.ts';
import { createControllerKeys, pairingKeys } from '../../../support/accessories/identity.ts';
import { type RawAccessory, type RawOptions, startRawAccessory } from '../../../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../../../support/accessories/sample-databases.ts';
import { PATIENCE_MS } from '../../../support/patience.ts';

const CONTROLLER = createControllerKeys();
export const KNOWN_CONTROLLER = { id: CONTROLLER.id, publicKey: CONTROLLER.publicKey };

export interface FixtureOptions extends Partial<AccessorySessionDeps> {
  readonly accessory?: Partial<RawOptions>;
  readonly cached?: { configNumber: number | null; database: AttributeDatabase };
  readonly configNumber?: number | null;
}

export class SessionFixture implements SessionHost {
  readonly accessory: RawAccessory;
  readonly session: AccessorySession;
  readonly keys: PairingKeys;
  readonly name = 'Test device';
  addresses: readonly HostPort[];
  advertisedConfig: number | null;
  unpaired = false;
  cached: { configNumber: number | null; database: AttributeDatabase } | undefined;
  savedLimits: Limits | undefined;
  readonly values: ReportedValue[] = [];
  readonly reachable: string[] = [];
  readonly statuses: string[] = [];
  readonly databases: (number | null)[] = [];
  readonly connectedTo: HostPort[] = [];
  statusDetail: string | null = null;
  /** The kinds of reports, in order: `database`, `values`, `reachable`, `status`. */
  readonly reports: string[] = [];
  readonly limits = {
    load: () => this.savedLimits,
    save: (limits: Limits) => {
      this.savedLimits = limits;
    },
  };

  private constructor(accessory: RawAccessory, options: FixtureOptions) {
    this.accessory = accessory;
    this.keys = pairingKeys(CONTROLLER, accessory);
    this.addresses = [{ host: '127.0.0.1', port: accessory.port }];
    this.advertisedConfig = options.configNumber === undefined ? 1 : options.configNumber;
    this.cached = options.cached;
    const clock: Clock = options.clock ?? systemClock;
    this.session = new AccessorySession(this, {
      clock,
      logger: silentLogger,
      throttle: new LogThrottle(clock),
      ...options,
      deadlines: { requestMs: 1_000, connectMs: 1_000, writeMs: 4_000, ...options.deadlines },
    });
  }

  static async open(options: FixtureOptions = {}): Promise<SessionFixture> {
    const accessory = await startRawAccessory({
      database: [lampAccessory('Lamp')],
      mdns: false,
      paired: [KNOWN_CONTROLLER],
      ...options.accessory,
    });
    return new SessionFixture(accessory, options);
  }

  /** Started and ready. */
  static async ready(options: FixtureOptions = {}): Promise<SessionFixture> {
    const fixture = await SessionFixture.open(options);
    fixture.session.start();
    await fixture.untilReady();
    return fixture;
  }

  candidates(): readonly HostPort[] {
    return this.addresses;
  }

  configNumber(): number | null {
    return this.advertisedConfig;
  }

  advertisesUnpaired(): boolean {
    return this.unpaired;
  }

  cachedDatabase() {
    return this.cached;
  }

  onDatabase(database: AttributeDatabase, _raw: string, configNumber: number | null): void {
    this.cached = { configNumber, database };
    this.databases.push(configNumber);
    this.reports.push('database');
  }

  onValues(values: readonly ReportedValue[]): void {
    this.values.push(...values);
    this.reports.push('values');
  }

  onReachable(reachable: boolean, aid?: HapId, away: ReadonlySet<HapId> = new Set()): void {
    this.reachable.push(away.size > 0 ? `all but ${[...away]} ${reachable}` : `${aid ?? 'all'} ${reachable}`);
    this.reports.push('reachable');
  }

  onStatus(status: ConnectionStatus, detail: string | null): void {
    this.statuses.push(status);
    this.statusDetail = detail;
    this.reports.push('status');
  }

  onConnectedTo(address: HostPort): void {
    this.connectedTo.push(address);
  }

  /** The last value reported. */
  value(iid: number, aid: number | string = 1): CharacteristicValue | undefined {
    return this.values.findLast((value) => value.aid === String(aid) && value.iid === String(iid))?.value;
  }

  /** Of the characteristic, in order, by how they were learned. */
  history(iid: number, via?: ReportedValue['via']): CharacteristicValue[] {
    return this.values
      .filter((value) => value.iid === String(iid) && (via === undefined || value.via === via))
      .map(({ value }) => value);
  }

  async set(iid: number, value: CharacteristicValue, aid: number | string = 1): Promise<WriteOutcome> {
    const [outcome] = await this.session.write([{ aid: String(aid), iid: String(iid), value }]);
    if (!outcome) throw new Error('A write must have an outcome');
    return outcome;
  }

  untilReady(): Promise<void> {
    return until(() => this.session.state === 'ready' && this.session.live !== undefined, 'the session to be ready');
  }

  async close(): Promise<void> {
    await this.session.stop();
    await this.accessory.stop();
  }
}

/** The machine's clock, running so many times faster: for waits that are part of what is tested. */
export function quickClock(factor = 10): Clock {
  return {
    now: () => systemClock.now(),
    monotonic: () => systemClock.monotonic() * factor,
    after: (delayMs, callback) => systemClock.after(delayMs / factor, callback),
  };
}

/** @throws naming what never came */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}
