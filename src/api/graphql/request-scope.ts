/**
 * Caches what one request has read, so that it is read once however many fields need it. For example, accessories are
 * grouped by room once instead of filtered for each of forty rooms. The cache is valid while the home does not change.
 * After any change, a mutation of the same request among them, the next field reads again.
 */
import type { Caller } from '../../app/access/caller.ts';
import type { Control } from '../../app/control/control.ts';
import type { Homes } from '../../app/layout/homes.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Home, Room } from '../../home/model.ts';
import { HearthError } from '../../kernel/errors.ts';

interface Sources {
  readonly state: Pick<HomeState, 'version' | 'rooms'>;
  readonly homes: Pick<Homes, 'list'>;
  readonly control: Pick<Control, 'listAccessories'>;
}

export class RequestScope {
  readonly #caller: Caller;
  readonly #sources: Sources;
  readonly #read = new Map<string, unknown>();
  #version = Number.NaN;
  readonly #over = new AbortController();

  constructor(caller: Caller, sources: Sources) {
    this.#caller = caller;
    this.#sources = sources;
  }

  /** The homes that the caller may see. */
  homes(): readonly Home[] {
    return this.once('homes', () => this.#sources.homes.list(this.#caller));
  }

  home(id: string): Home | undefined {
    const homes = this.once('homes by id', () => new Map(this.homes().map((home) => [home.id, home])));
    return homes.get(id);
  }

  /** The rooms of a home that the caller may see; none if they may not see the home. */
  rooms(homeId: string): readonly Room[] {
    return this.home(homeId) ? this.#sources.state.rooms(homeId) : [];
  }

  /** All accessories that the caller may see, home by home and by name. */
  accessories(): readonly Accessory[] {
    return this.once('accessories', () => this.#sources.control.listAccessories(this.#caller));
  }

  accessoriesOfHome(homeId: string): readonly Accessory[] {
    return this.#accessoriesBy('homeId').get(homeId) ?? [];
  }

  accessoriesOfRoom(roomId: string): readonly Accessory[] {
    return this.#accessoriesBy('roomId').get(roomId) ?? [];
  }

  /** The request is over. */
  close(): void {
    this.#over.abort();
  }

  /** Aborted by `close`, for long reads. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** @throws `accessory_unreachable` the request is over: no further work begins */
  requireOpen(): void {
    if (this.#over.signal.aborted) throw new HearthError('accessory_unreachable', 'The request took too long.');
  }

  /** The result of `read`, cached under this key until something changes in any home. */
  once<T>(key: string, read: () => T): T {
    const { version } = this.#sources.state;
    if (version !== this.#version) {
      this.#read.clear();
      this.#version = version;
    }
    if (this.#read.has(key)) return this.#read.get(key) as T;
    const value = read();
    this.#read.set(key, value);
    return value;
  }

  #accessoriesBy(field: 'homeId' | 'roomId'): ReadonlyMap<string, readonly Accessory[]> {
    return this.once(`accessories by ${field}`, () => groupBy(this.accessories(), (accessory) => accessory[field]));
  }
}

function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
