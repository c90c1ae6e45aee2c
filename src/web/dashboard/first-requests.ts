/**
 * Asks for the account and its home while the scripts of the dashboard are still loading: over a slow link the answers
 * are there as soon as there is something to show them. A small script of its own; the dashboard asks for what it could
 * not get (`shell/first-page.ts`).
 */
import { AccountQuery, homeToShow, type OwnHome, readChosenHome } from './account/account-document.ts';
import { present } from './api/graphql.ts';
import { sendFirst } from './api/graphql-request.ts';
import { readStoredSession } from './api/stored-session.ts';
import { HomeQuery } from './home/home-document.ts';

const session = readStoredSession();
if (session) void askFirst(session.token);

async function askFirst(token: string): Promise<void> {
  const account = sendFirst(token, AccountQuery, {});
  const chosen = readChosenHome();
  if (chosen !== undefined) void sendFirst(token, HomeQuery, { homeId: chosen });
  const shown = homeToShow(await homesOf(await account), chosen);
  if (shown !== undefined && shown !== chosen) void sendFirst(token, HomeQuery, { homeId: shown });
}

/** @returns `undefined` if the response has none; the dashboard reports the reason */
async function homesOf(response: Response | undefined): Promise<readonly OwnHome[] | undefined> {
  // The dashboard reads the response itself.
  const body: AccountBody | undefined = await response
    ?.clone()
    .json()
    .catch(() => undefined);
  return body?.data?.homes && present(body.data.homes);
}

interface AccountBody {
  readonly data?: { readonly homes?: readonly OwnHome[] };
}
