/**
 * Things with a history: accessories, including virtual ones, and service groups; each group counts as one accessory.
 * Resolves names to series and decides which series a caller may view.
 */
import { foldWord } from '../../hap-spec/words.ts';
import { asAccessory, membersOf } from '../../home/group-accessory.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Service, ServiceGroup } from '../../home/model.ts';
import { bindingsOf } from '../../home/vocabulary/bindings.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import { HearthError } from '../../kernel/errors.ts';
import { type Access, insufficientPermissions, notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { type CatalogRow, recordable } from './catalog.ts';
import type { HistoryStore, SeriesRow } from './history-store.ts';

export interface RecordedThing {
  readonly id: string;
  readonly homeId: string;
  readonly name: string;
  readonly services: readonly Service[];
  readonly source: 'device' | 'virtual' | 'group';
}

/** A characteristic by the name of its series: numbered from the second service on. */
export interface RecordableCharacteristic {
  readonly characteristic: string;
  readonly row: CatalogRow;
}

/** `power_state_2`: the second service of its kind. */
const NUMBERED = /^(.+)_([2-9]|[1-9]\d+)$/;

/** Selects series: all of a home, those of one accessory or group, or a single one. */
export interface SeriesFilter {
  readonly accessoryId?: string | undefined;
  readonly characteristicType?: string | undefined;
}

export class RecordedThings {
  readonly #state: HomeState;
  readonly #access: Access;
  readonly #store: Pick<HistoryStore, 'seriesOf' | 'findSeries'>;

  constructor(deps: { state: HomeState; access: Access; store: Pick<HistoryStore, 'seriesOf' | 'findSeries'> }) {
    this.#state = deps.state;
    this.#access = deps.access;
    this.#store = deps.store;
  }

  /** Requires view access. @throws `accessory_not_found` */
  get(caller: Caller, id: string): RecordedThing {
    const thing = this.#find(id);
    if (!thing || !this.#maySee(caller, thing)) throw notFound('accessory_not_found');
    return thing;
  }

  /** As `get`; a thing in another home is not found. */
  getIn(caller: Caller, homeId: string, id: string): RecordedThing {
    const thing = this.get(caller, id);
    if (thing.homeId !== homeId) throw notFound('accessory_not_found');
    return thing;
  }

  /** Things of a home that the caller may view: accessories by name, then groups by name. */
  list(caller: Caller, homeId: string): readonly RecordedThing[] {
    const accessories = this.#state.accessories(homeId).map(({ id }) => id);
    const groups = this.#state.serviceGroups.list(homeId).map(({ id }) => id);
    return [...accessories, ...groups].flatMap((id) => {
      const thing = this.#find(id);
      return thing && this.#maySee(caller, thing) ? [thing] : [];
    });
  }

  /**
   * Resolves a spelling to a series of a thing, recorded already or not.
   * @param spelling any spelling of the characteristic, or a simplified property (`current_temp`, `on_2`).
   * @throws `characteristic_not_found` the thing does not have it, or it is never recorded
   */
  resolve(thing: RecordedThing, spelling: string): RecordableCharacteristic {
    const isRecorded = (name: string): boolean => this.#store.findSeries(thing.homeId, thing.id, name) !== undefined;
    return resolveRecordable(thing, spelling, isRecorded);
  }

  /**
   * The recorded series, for a caller with access to the home.
   * @throws `accessory_not_found` · `characteristic_not_found` · `invalid_value` a characteristic without an accessory
   */
  seriesIn(caller: Caller, homeId: string, { accessoryId, characteristicType }: SeriesFilter): readonly SeriesRow[] {
    const rows = this.#store.seriesOf(homeId);
    if (accessoryId === undefined) {
      if (characteristicType === undefined) return rows;
      throw new HearthError('invalid_value', 'Give the accessory of the characteristic.', { field: 'accessory' });
    }
    const id = accessoryId.toLowerCase();
    const own = rows.filter((row) => row.accessoryId === id);
    // Series of a deleted accessory still belong to its home.
    const isLost = own.length > 0 && !this.#find(id) && this.#access.mayIn(caller, 'view', homeId);
    const thing = isLost ? undefined : this.getIn(caller, homeId, id);
    if (characteristicType === undefined) return own;
    const characteristic = thing ? this.resolve(thing, characteristicType).characteristic : characteristicType;
    return own.filter((row) => row.characteristic === characteristic);
  }

  #find(id: string): RecordedThing | undefined {
    const accessory = this.#state.accessory(id);
    if (accessory) {
      const { homeId, name, services, virtual } = accessory;
      return { id: accessory.id, homeId, name, services, source: virtual ? 'virtual' : 'device' };
    }
    const group = this.#state.serviceGroups.find(id);
    // A group whose members are all gone keeps its history.
    const services = group && (asAccessory(group, this.#state)?.services ?? []);
    return group && services && { id: group.id, homeId: group.homeId, name: group.name, services, source: 'group' };
  }

  /** A group reveals its members' state: a caller with a share of the home must have access to all of them. */
  #maySee(caller: Caller, { id, homeId, source }: RecordedThing): boolean {
    const group = source === 'group' ? this.#state.serviceGroups.find(id) : undefined;
    if (!group) return this.#access.roleOver(caller, { id, homeId }) !== undefined;
    return this.#access.mayIn(caller, 'view', homeId) || this.#seesAllMembers(caller, group);
  }

  #seesAllMembers(caller: Caller, group: ServiceGroup): boolean {
    const members = membersOf(group, this.#state);
    return (
      members.length > 0 && members.every(({ accessory }) => this.#access.roleOver(caller, accessory) !== undefined)
    );
  }
}

/**
 * The recordable characteristics of a thing, most informative first.
 * @param stored existing series; some may be of characteristics that the thing no longer has.
 */
export function recordablesOf(
  { services }: Pick<RecordedThing, 'services'>,
  stored: Iterable<string> = [],
): readonly RecordableCharacteristic[] {
  const found = new Map<string, CatalogRow>();
  for (const [type, places] of bindingsOf(services).byType) {
    const row = recordable(type);
    if (!row) continue;
    for (const index of places.keys()) found.set(numbered(row.name, index + 1), row);
  }
  for (const characteristic of stored) {
    const row = recordable(characteristic);
    if (row) found.set(characteristic, row);
  }
  return [...found]
    .map(([characteristic, row]) => ({ characteristic, row }))
    .sort((a, b) => a.row.rank - b.row.rank || (a.characteristic < b.characteristic ? -1 : 1));
}

/** @param isStored whether there is a series: it may be of a characteristic that the thing no longer has. */
function resolveRecordable(
  thing: RecordedThing,
  spelling: string,
  isStored: (characteristic: string) => boolean,
): RecordableCharacteristic {
  const [, base = spelling, number = '1'] = NUMBERED.exec(spelling.trim()) ?? [];
  const row = recordable(base);
  const named = row && { characteristic: numbered(row.name, Number(number)), row };
  const all = recordablesOf(thing);
  const find = (wanted: string): RecordableCharacteristic | undefined =>
    all.find(({ characteristic }) => characteristic === wanted);
  const found = (named && find(named.characteristic)) ?? findByProperty(thing, spelling, find);
  if (found) return found;
  if (named && isStored(named.characteristic)) return named;
  throw new HearthError(
    'characteristic_not_found',
    `Characteristic "${shorten(spelling)}" is not recordable on ${thing.name}`,
    { field: 'characteristic' },
  );
}

function findByProperty(
  { services }: RecordedThing,
  spelling: string,
  find: (characteristic: string) => RecordableCharacteristic | undefined,
): RecordableCharacteristic | undefined {
  const { byWord, byType } = bindingsOf(services);
  const bound = byWord.get(foldWord(spelling));
  const row = bound && recordable(bound.characteristic.type);
  if (!bound || !row) return undefined;
  const places = byType.get(bound.characteristic.type) ?? [];
  const index = places.findIndex(({ characteristic }) => characteristic === bound.characteristic);
  return find(numbered(row.name, index + 1));
}

function numbered(name: string, count: number): string {
  return count === 1 ? name : `${name}_${count}`;
}

/** @throws `insufficient_permissions` the caller is a share link, and its home does not share its history */
export function requireShared(caller: Caller, isShared: boolean): void {
  if (caller.principal.kind === 'share_link' && !isShared) throw insufficientPermissions();
}
