/**
 * Reads the activity log: who did what in homes, and when. Requires view access to the home. It names people, so a
 * share link, whose role covers only accessories, reads none of it.
 */
import { type ActivityActor, ActivityFilter, ActivityQuery, type ActivityRecord } from '../../contract/activity.ts';
import { parseInput } from '../../contract/parse.ts';
import { MAX_ACTIVITY } from '../../home/vocabulary/activity-words.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { exportActivity } from './activity-export.ts';
import type { ActivityLog } from './activity-log.ts';
import { pagesOf, type Selection } from './activity-pages.ts';
import type { ActivityStore } from './activity-store.ts';

interface ActivityDeps extends AppDeps<'state' | 'access'> {
  readonly store: Pick<ActivityStore, 'list' | 'range' | 'actors'>;
  readonly log: Pick<ActivityLog, 'flush' | 'latestOf'>;
}

export class Activity {
  readonly #deps: ActivityDeps;

  constructor(deps: ActivityDeps) {
    this.#deps = deps;
  }

  /**
   * Entries of the homes that the caller may view, newest first. Of a single accessory, the latest change is known even
   * if its home records nothing.
   * @throws `home_not_found` · `room_not_found` · `accessory_not_found` · `invalid_value` · `storage_unavailable`
   */
  async list(caller: Caller, input: ActivityQuery = {}): Promise<readonly ActivityRecord[]> {
    const selection = this.#select(caller, input);
    const { before, limit } = parseInput(ActivityQuery, input);
    const end = before === undefined ? undefined : parseCursor(before);
    if (selection.homeIds.length === 0) return [];
    this.#deps.log.flush();
    const entries: ActivityRecord[] = [];
    for await (const page of pagesOf(this.#deps.store, selection, limit, end)) {
      entries.push(...page);
      if (entries.length >= limit) break;
    }
    return (end === undefined ? this.#withLatest(entries, selection) : entries).slice(0, limit);
  }

  /**
   * Everything that matches as CSV, newest first, in chunks that are read on demand.
   * @throws as `list`
   */
  export(caller: Caller, input: ActivityFilter = {}): AsyncIterable<string> {
    const selection = this.#select(caller, input);
    this.#deps.log.flush();
    return exportActivity(pagesOf(this.#deps.store, selection, MAX_ACTIVITY));
  }

  /**
   * Who appears in the log of a home, or of all homes that the caller may view.
   * @throws `home_not_found` · `storage_unavailable`
   */
  actors(caller: Caller, homeId?: string): readonly ActivityActor[] {
    const { homeIds } = this.#select(caller, homeId === undefined ? {} : { homeId });
    this.#deps.log.flush();
    const actors = homeIds.flatMap((id) => this.#deps.store.actors(id));
    return [...new Map(actors.map((actor) => [`${actor.kind} ${actor.id}`, actor])).values()];
  }

  /** Authorizes the caller for everything that the filter names. */
  #select(caller: Caller, input: ActivityFilter): Selection {
    const { state, access } = this.#deps;
    const { homeId, roomId, accessoryId } = input;
    const homes =
      homeId === undefined
        ? access.visibleHomes(caller, state.homes())
        : [access.authorizeHome(caller, 'view', state.home(homeId))];
    const homeIds = homes.map(({ id }) => id);
    const room =
      roomId === undefined ? undefined : access.authorizeIn(caller, 'view', state.room(roomId), 'room_not_found');
    if (room && !homeIds.includes(room.homeId)) throw notFound('room_not_found');
    // A role over the accessory alone is not enough.
    const accessory =
      accessoryId === undefined
        ? undefined
        : access.authorizeIn(caller, 'view', state.accessory(accessoryId), 'accessory_not_found');
    if (accessory && !homeIds.includes(accessory.homeId)) throw notFound('accessory_not_found');
    const { actorKind, actorId, kind } = parseInput(ActivityFilter, filterOf(input));
    const within = accessory?.homeId ?? room?.homeId;
    return {
      homeIds: within === undefined ? homeIds : [within],
      roomId: room?.id,
      accessoryId: accessory?.id,
      actorKind,
      actorId,
      kind,
    };
  }

  /** Adds the latest change of the accessory if it is not recorded. */
  #withLatest(entries: readonly ActivityRecord[], selection: Selection): readonly ActivityRecord[] {
    const { accessoryId, ...others } = selection;
    const latest = accessoryId === undefined ? undefined : this.#deps.log.latestOf(accessoryId);
    const isPlain = (['roomId', 'actorKind', 'actorId', 'kind'] as const).every((field) => others[field] === undefined);
    if (!latest || !isPlain) return entries;
    const isKnown = entries.some(
      ({ at, kind, value }) => at === latest.at && kind === latest.kind && value === latest.value,
    );
    const newest = entries[0];
    return isKnown || (newest && newest.at > latest.at) ? entries : [latest, ...entries];
  }
}

function filterOf(input: ActivityFilter & { readonly before?: unknown; readonly limit?: unknown }): ActivityFilter {
  const { before: _, limit: __, ...filter } = input;
  return filter;
}

/** @throws `invalid_value` */
function parseCursor(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new HearthError('invalid_value', 'Invalid value for before: it takes the id of an entry.', { field: 'before' });
}
