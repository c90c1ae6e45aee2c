import type { RelayStatus } from '../../contract/relay.ts';

/** The status of the relay at one moment. Times are milliseconds since the epoch. */
export interface RelayReport extends Omit<RelayStatus, 'startedAt' | 'now' | 'warnings'> {
  readonly startedAt: number;
  readonly now: number;
}
