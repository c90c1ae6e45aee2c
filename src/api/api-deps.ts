import type { Operations } from '../app/operations.ts';
import type { Logger } from '../kernel/logger.ts';
import type { GuardOptions } from './guards.ts';

/** What every API needs. */
export interface ApiDeps extends Readonly<Operations> {
  readonly logger: Logger;
  readonly guards: GuardOptions;
}
