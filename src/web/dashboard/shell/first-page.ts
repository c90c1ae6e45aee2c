/**
 * Loads the data of the first page before the first render: on a phone, rendering a loading state takes longer than the
 * relay's response.
 */
import { askHomesAhead, chosenHome } from '../account/account.ts';
import { homeToShow } from '../account/account-document.ts';
import { endFirst } from '../api/graphql-request.ts';
import { sessionHolder } from '../api/session.ts';
import { loadIconsAhead, loadIconsOf } from '../devices/icons/load-icons.ts';
import { askHomeAhead } from '../home/home-query.ts';
import { homeStore } from '../home/home-store.ts';
import { showKeptHome } from '../home/kept-home.ts';
import { pageAt } from '../routes.ts';

/** After this time a blank page looks broken. */
const PATIENCE_MS = 400;

/** With a kept home to show, only an answer that comes at once is worth the wait. */
const SHORT_PATIENCE_MS = 150;

/** @returns when all data is there, or a kept home can be shown, or after the maximum wait; the requests continue */
export async function fetchFirstPage(): Promise<void> {
  const session = sessionHolder.get();
  if (!session) return;
  loadIconsAhead();
  const isKeptShown = showKeptHome(session);
  const page = pageAt(location.pathname)?.preload();
  const all = Promise.all([askForHome(session.id).finally(endFirst), page]);
  const waits = [all, pause(PATIENCE_MS)];
  if (isKeptShown) waits.push(Promise.all([page, pause(SHORT_PATIENCE_MS)]));
  await Promise.race(waits);
}

function pause(ms: number): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function askForHome(sessionId: string): Promise<void> {
  const chosen = chosenHome();
  const [homes, inventory] = await Promise.all([
    askHomesAhead(),
    chosen === undefined ? undefined : askHomeAhead(chosen),
  ]);
  const shown = homes && homeToShow(homes, chosen);
  if (shown === undefined) return;
  const loaded = shown === chosen ? inventory : await askHomeAhead(shown);
  // The response may be late: one account's data must not appear for the next account.
  const isWanted = !homeStore.inventory || homeStore.keptAt !== undefined;
  if (loaded && isWanted && sessionHolder.get()?.id === sessionId) homeStore.load(loaded);
  // Where the browser has them already, the first tiles have them too.
  if (loaded) await loadIconsOf(loaded);
}
