import type { LogRing } from '../../kernel/log-ring.ts';
import type { LiveSettings } from '../settings/relay-settings.ts';

/** What the daemon knows of itself, beside the house that it serves. */
export interface RelayGround {
  readonly settings: LiveSettings;
  /** The last lines of the log. */
  readonly logs: LogRing;
  /** Asked each time: ports are known once it listens, addresses come and go. */
  facts(): RelayFacts;
}

export interface RelayFacts {
  /** The host that it runs on. */
  readonly name: string;
  readonly version: string;
  /** Eight hex digits that stay the same for this installation. */
  readonly instanceId: string;
  /** Milliseconds since the epoch, by the clock as it was then. */
  readonly startedAt: number;
  readonly uptimeMs: number;
  readonly dataDirectory: string;
  /** Where it answers, the best for other devices first. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly wsPort: number;
  readonly hasTls: boolean;
  readonly publicUrl: string | null;
  /** The name on the network under which clients find it; `null` while it is not advertised. */
  readonly advertisedAs: string | null;
  /** Those on which accessories are looked for. */
  readonly interfaces: readonly { readonly name: string; readonly addresses: readonly string[] }[];
  /** Whether somebody chose them; else they are all that there are. */
  readonly areInterfacesChosen: boolean;
  /** What is wrong with settings that were made while it ran, one sentence each. */
  readonly settingProblems: readonly string[];
}
