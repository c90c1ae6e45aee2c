/** The dependencies of the pages. */
import type { Https } from '../../app/https/https.ts';
import type { AuthorizedApps } from '../../app/oauth/authorized-apps.ts';
import type { Members } from '../../app/users/members.ts';
import type { Passkeys } from '../../app/users/passkeys.ts';
import type { SecondFactors } from '../../app/users/second-factors.ts';
import type { Sessions } from '../../app/users/sessions.ts';
import type { Users } from '../../app/users/users.ts';
import type { FailureLog } from '../failure-log.ts';
import type { GuardOptions } from '../guards.ts';
import type { PageSessions } from './page-session.ts';

export interface HtmlDeps {
  readonly https: Https;
  readonly guards: GuardOptions;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly secondFactors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly members: Members;
  readonly authorizedApps: AuthorizedApps;
  readonly pageSessions: PageSessions;
  readonly failures: FailureLog;
  /** With the scripts of the pages. */
  readonly pagesDirectory: string;
}
