/**
 * Loads the data of the first page before the first render: on a phone, rendering a loading state takes longer than the
 * relay's response.
 */
import { askHomesAhead, chosenHome, homeToShow } from '../account/account.ts';
import { sessionHolder } from '../api/session.ts';
import { askHomeAhead } from '../home/home-query.ts';
import { homeStore } from '../home/home-store.ts';
import { pageAt } from '../routes.ts';

/** After this time a blank page looks broken. */
const PATIENCE_MS = 400;

/** @returns when all data is there, or after the maximum wait; the requests continue */
export async function fetchFirstPage(): Promise<void> {
  const session = sessionHolder.get();
  if (!session) return;
  const all = Promise.all([askForHome(session.id), pageAt(location.pathname)?.preload()]);
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
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
  if (loaded && !homeStore.inventory && sessionHolder.get()?.id === sessionId) homeStore.load(loaded);
}
