import type { RelayStatus } from '../../contract/relay.ts';
import type { LoadSample } from './load-store.ts';

/** The status of the relay at one moment. Times are milliseconds since the epoch. */
export interface RelayReport
  extends Omit<RelayStatus, 'startedAt' | 'now' | 'updatesAskedAt' | 'warnings' | 'lastDay'> {
  readonly startedAt: number;
  readonly now: number;
  readonly updatesAskedAt: number | null;
  readonly lastDay: readonly LoadSample[];
}
