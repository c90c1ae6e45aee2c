/** The filters of the list, and their representation in the URL: going back to the list shows it as it was left. */
import { FILTERS, type Filter } from './automation-list.ts';

export interface ListView {
  readonly search: string;
  readonly filter: Filter;
  /** Empty for all rooms. */
  readonly roomId: string;
}

export function parseListView(text: string): ListView {
  const query = new URLSearchParams(text);
  return {
    search: query.get('q') ?? '',
    filter: FILTERS.find((one) => one === query.get('show')) ?? 'all',
    roomId: query.get('room') ?? '',
  };
}

export function presentListView({ search, filter, roomId }: ListView): string {
  const query = new URLSearchParams({
    ...(search !== '' && { q: search }),
    ...(filter !== 'all' && { show: filter }),
    ...(roomId !== '' && { room: roomId }),
  });
  return query.size === 0 ? '' : `?${query}`;
}
