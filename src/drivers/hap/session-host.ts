/** What a session needs: of whoever owns it, and of the process. */
import type { ReportedValue } from '../../home/accessory-driver.ts';
import type { ConnectionStatus } from '../../home/pairing-driver.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger, LogThrottle } from '../../kernel/logger.ts';
import type { AttributeDatabase } from './accessory-database.ts';
import type { ConnectGate } from './connect-gate.ts';
import type { SessionDeadlines } from './deadlines.ts';
import type { HostPort } from './dial.ts';
import type { PairingKeys } from './exchange.ts';
import type { LimitsMemory } from './limits.ts';
import type { pairVerify } from './pairing/pair-verify.ts';
import type { Heartbeat } from './pulse.ts';
import type { ReportReachable } from './reachability.ts';

/** What the session asks of, and tells to, whoever owns it. */
export interface SessionHost {
  readonly keys: PairingKeys;
  /** Addresses to try, best first; asked anew at each attempt. */
  candidates(): readonly HostPort[];
  /** `c#` as advertised now; `null` if unknown. */
  configNumber(): number | null;
  /** Whether the device advertises now that it is paired with nobody. Anybody on the network can say that in its name. */
  advertisesUnpaired(): boolean;
  /** The cached database and the `c#` that it is valid for. */
  cachedDatabase(): { readonly configNumber: number | null; readonly database: AttributeDatabase } | undefined;
  readonly limits: LimitsMemory;
  /** Called before any value of it is reported. */
  onDatabase(database: AttributeDatabase, raw: string, configNumber: number | null): void;
  /** Oldest first. */
  onValues(values: readonly ReportedValue[]): void;
  /** After hysteresis: one accessory, or all of them but those `away`, who stay unreachable. */
  onReachable(...report: Parameters<ReportReachable>): void;
  onStatus(status: ConnectionStatus, detail: string | null): void;
  onConnectedTo(address: HostPort): void;
}

export interface SessionEnvironment {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly throttle: LogThrottle;
  /** Shared by all sessions of a house. */
  readonly gate?: ConnectGate;
  /** Like Math.random, for jitter. */
  readonly random?: () => number;
  readonly verify?: typeof pairVerify;
  readonly deadlines?: Partial<SessionDeadlines>;
}

export interface SessionStats extends Heartbeat {
  /** Verified connections after the first one. */
  readonly reconnects: number;
  readonly notifications: number;
  /** How often values were read because they may not announce themselves. */
  readonly polls: number;
}
