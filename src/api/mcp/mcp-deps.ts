/** The dependencies of MCP: the operations, and those of its streams. */
import type { Operations } from '../../app/operations.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { FailureLog } from '../failure-log.ts';
import type { GuardOptions } from '../guards.ts';
import type { LiveClients } from '../live/live-clients.ts';

export interface McpFaceDeps extends Readonly<Operations> {
  readonly bus: EventBus<HomeEvents>;
  readonly guards: GuardOptions;
  readonly failures: FailureLog;
  readonly info: { readonly version: string };
  /** `false` again once the daemon stops: then streams end. */
  readonly isReady: () => boolean;
  readonly clients?: LiveClients | undefined;
}
