/** The dependencies of a session: its owner, and the process. */
import type { ReportedValue } from '../../../home/accessory-driver.ts';
import type { HomeDeps } from '../../../home/home-deps.ts';
import type { ConnectionStatus } from '../../../home/pairing-driver.ts';
import type { LogThrottle } from '../../../kernel/logger.ts';
import type { pairVerify } from '../pairing/pair-verify.ts';
import type { ReportReachable } from '../values/reachability.ts';
import type { AttributeDatabase } from '../wire/accessory-database.ts';
import type { HostPort } from '../wire/dial.ts';
import type { PairingKeys } from '../wire/exchange.ts';
import type { LimitsMemory } from '../wire/limits.ts';
import type { ConnectGate } from './connect-gate.ts';
import type { HealthReport } from './connection-health.ts';
import type { SessionDeadlines } from './deadlines.ts';

/** The session's queries and reports to its owner. */
export interface SessionHost {
  readonly keys: PairingKeys;
  /** The device's name, for the log. */
  readonly name: string;
  /** Addresses to try, best first; called at each attempt. */
  candidates(): readonly HostPort[];
  /** `c#` as currently advertised; `null` if unknown. */
  configNumber(): number | null;
  /** Whether the device currently advertises that it is unpaired. Any host on the network can forge this. */
  advertisesUnpaired(): boolean;
  /** The cached database and its `c#`. */
  cachedDatabase(): { readonly configNumber: number | null; readonly database: AttributeDatabase } | undefined;
  readonly limits: LimitsMemory;
  /** Called before any of its values is reported. */
  onDatabase(database: AttributeDatabase, raw: string, configNumber: number | null): void;
  /** Oldest first. */
  onValues(values: readonly ReportedValue[]): void;
  /** After hysteresis: one accessory, or all of them except those in `away`, which stay unreachable. */
  onReachable(...report: Parameters<ReportReachable>): void;
  onStatus(status: ConnectionStatus, detail: string | null): void;
  onConnectedTo(address: HostPort): void;
}

export interface AccessorySessionDeps extends HomeDeps<'clock' | 'logger'> {
  readonly throttle: LogThrottle;
  /** Shared by all sessions of a home. */
  readonly gate?: ConnectGate;
  /** Like Math.random, for jitter. */
  readonly random?: () => number;
  readonly verify?: typeof pairVerify;
  readonly deadlines?: Partial<SessionDeadlines>;
}

export interface SessionStats extends HealthReport {
  /** Verified connections after the first one. */
  readonly reconnects: number;
  readonly notifications: number;
  /** How often values were polled because they may not send events. */
  readonly polls: number;
}
