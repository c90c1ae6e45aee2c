/** Asks for a home: before any page needs it, and for as long as one shows it. */
import { askAhead, type Subject, useAsk } from '../api/query.ts';
import { type House, HouseQuery } from './house-document.ts';

const SUBJECTS: readonly Subject[] = ['house'];

/** @param homeId not asked while there is none */
export function useHouseQuery(homeId: string | undefined) {
  return useAsk(HouseQuery, { homeId: homeId ?? '' }, { subjects: SUBJECTS, enabled: homeId !== undefined });
}

/** @returns `undefined` if the relay does not tell */
export async function askHouseAhead(homeId: string): Promise<House | undefined> {
  const answer = await askAhead(HouseQuery, { homeId }, SUBJECTS);
  return answer?.home ?? undefined;
}
