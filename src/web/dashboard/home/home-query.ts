/** Loads a home: ahead of the first page, and while a page shows it. */
import { askAhead, type QuerySubject, useApiQuery } from '../api/query.ts';
import { type HomeInventory, HomeQuery } from './home-document.ts';

const SUBJECTS: readonly QuerySubject[] = ['inventory'];

/** @param homeId `undefined` sends no request */
export function useHomeQuery(homeId: string | undefined) {
  return useApiQuery(HomeQuery, { homeId: homeId ?? '' }, { subjects: SUBJECTS, enabled: homeId !== undefined });
}

/** @returns `undefined` if the relay does not answer */
export async function askHomeAhead(homeId: string): Promise<HomeInventory | undefined> {
  const answer = await askAhead(HomeQuery, { homeId }, SUBJECTS);
  return answer?.home ?? undefined;
}
