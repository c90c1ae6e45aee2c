import type { LogRing } from '../../kernel/log-ring.ts';
import type { LiveSettings } from '../settings/relay-settings.ts';

/** The daemon's own data, apart from the home. */
export interface RelayDeps {
  readonly settings: LiveSettings;
  /** The last lines of the log. */
  readonly logs: LogRing;
  /** Called on each request: ports are known once it listens, and addresses change. */
  facts(): RelayFacts;
}

export interface RelayFacts {
  /** The name of its host. */
  readonly name: string;
  readonly version: string;
  /** Eight hex digits that identify this installation. */
  readonly instanceId: string;
  /** Milliseconds since the epoch, by the clock at that time. */
  readonly startedAt: number;
  readonly uptimeMs: number;
  readonly dataDirectory: string;
  /** Its addresses, the best for other devices first. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly wsPort: number;
  readonly hasTls: boolean;
  readonly publicUrl: string | null;
  /** The service name under which clients discover it; `null` while it is not advertised. */
  readonly advertisedAs: string | null;
  /** The interfaces used for discovery. */
  readonly interfaces: readonly { readonly name: string; readonly addresses: readonly string[] }[];
  /** Whether they are configured; otherwise all interfaces are used. */
  readonly areInterfacesChosen: boolean;
  /** Errors of settings that were changed at run time, one sentence each. */
  readonly settingProblems: readonly string[];
}
