import { newId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { SetupCodes } from './setup-codes.ts';
import type { Users } from './users.ts';

/**
 * Prints how to claim a relay without an owner, where only its operator can read it. @param origin the pages' origin
 */
export function announceSetup(
  { users, setupCodes }: { readonly users: Users; readonly setupCodes: SetupCodes },
  origin: string,
  logger: Logger,
): void {
  if (users.isClaimed()) return;
  const { code } = setupCodes.renew({ principal: { kind: 'system' }, requestId: newId(), depth: 0 });
  const page = new URL('/', origin).href;
  logger.info({}, `This relay has no owner yet. Open ${page} and enter the setup code ${code} within ten minutes`);
}
