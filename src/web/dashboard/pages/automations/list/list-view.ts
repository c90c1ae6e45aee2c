/**
 * The filters of the list and whether it is grouped, in the URL: going back to the list shows it as it was left. The
 * browser keeps the grouping besides.
 */
import { FILTERS, type Filter } from './automation-list.ts';

export interface ListView {
  readonly search: string;
  readonly filter: Filter;
  /** Empty for all rooms. */
  readonly roomId: string;
  readonly isByRoom: boolean;
}

/** @param isByRoom for an address that names no grouping */
export function parseListView(text: string, isByRoom: boolean): ListView {
  const query = new URLSearchParams(text);
  return {
    search: query.get('q') ?? '',
    filter: FILTERS.find((one) => one === query.get('show')) ?? 'all',
    roomId: query.get('room') ?? '',
    isByRoom: query.has('group') ? query.get('group') === 'room' : isByRoom,
  };
}

export function presentListView({ search, filter, roomId, isByRoom }: ListView): string {
  const query = new URLSearchParams({
    ...(search !== '' && { q: search }),
    ...(filter !== 'all' && { show: filter }),
    ...(roomId !== '' && { room: roomId }),
    ...(isByRoom && { group: 'room' }),
  });
  return query.size === 0 ? '' : `?${query}`;
}

const KEY = 'hearthd.automations.group';

export function isKeptByRoom(): boolean {
  try {
    return localStorage.getItem(KEY) === 'room';
  } catch {
    return false;
  }
}

export function keepByRoom(isByRoom: boolean): void {
  try {
    if (isByRoom) localStorage.setItem(KEY, 'room');
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage, the address has it until the page closes.
  }
}
