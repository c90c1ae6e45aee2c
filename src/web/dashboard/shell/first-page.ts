/**
 * What the first page of a person who is signed in needs, fetched before anything is drawn: on a phone, to draw that something is loading
 * takes longer than the relay does to answer.
 */
import { askHomesAhead, chosenHome, homeToShow } from '../account/account.ts';
import { sessionHolder } from '../api/session.ts';
import { askHouseAhead } from '../house/house-query.ts';
import { houseStore } from '../house/house-store.ts';
import { pageAt } from '../routes.ts';

/** From here on a page that shows nothing is taken to be broken. */
const PATIENCE_MS = 400;

/** @returns when all of it is there, or it takes too long to be waited for; it comes all the same */
export async function fetchFirstPage(): Promise<void> {
  const session = sessionHolder.get();
  if (!session) return;
  const all = Promise.all([askForHome(session.id), pageAt(location.pathname)?.preload()]);
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

async function askForHome(sessionId: string): Promise<void> {
  const chosen = chosenHome();
  const [homes, house] = await Promise.all([askHomesAhead(), chosen === undefined ? undefined : askHouseAhead(chosen)]);
  const shown = homes && homeToShow(homes, chosen);
  if (shown === undefined) return;
  const loaded = shown === chosen ? house : await askHouseAhead(shown);
  // It may be late: what one person asked for is not for the next one.
  if (loaded && !houseStore.house && sessionHolder.get()?.id === sessionId) houseStore.load(loaded);
}
