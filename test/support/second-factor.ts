/** Accounts with a second step, and the codes that their authenticator app would show. */
import { codeOf, stepAt } from '../../src/app/users/totp.ts';
import type { TestHome } from './test-home.ts';
import type { TestUser } from './test-users.ts';

export interface TestSecondFactor {
  /** Base32. */
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** The code of now, or of some steps from now. */
  readonly code: (stepsFromNow?: number) => string;
}

/** Turns the second step on; ends in the next step, so that the code of now is unused. */
export async function turnOnSecondFactor(home: TestHome, user: TestUser): Promise<TestSecondFactor> {
  const { secret } = await home.secondFactors.begin(user.caller, { currentPassword: user.password });
  const code = (stepsFromNow = 0) => codeOf(secret, stepAt(home.clock.now()) + stepsFromNow);
  const recoveryCodes = home.secondFactors.confirm(user.caller, { code: code() });
  await home.clock.advance(30_000);
  return { secret, recoveryCodes, code };
}
