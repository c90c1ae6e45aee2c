/**
 * Receives the reports of drivers. It assigns each described accessory its id, name and room, stores them, and updates
 * the home's state.
 *
 * An id is derived from the device id and the aid and then stored. So a device that is paired again, or a child that
 * its bridge lost for a while, gets back its name, its room and all references to it. Serial numbers are not used as
 * keys because makers repeat them.
 */
import type { DescribedAccessory, DriverSink, ReportedValue } from '../../home/accessory-driver.ts';
import { withOwnCharacteristics } from '../../home/adaptive-lighting/lamp.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { PROGRAMMABLE_SWITCH_EVENT } from '../../home/home-state.ts';
import type { Accessory, HapId, Room, Service } from '../../home/model.ts';
import { showableName } from '../../home/names.ts';
import type { PlacedAccessory } from '../../home/slots.ts';
import { messageOf } from '../../kernel/errors.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import { deriveAccessoryId } from './accessory-id.ts';
import type { LastValues } from './last-values.ts';
import { type LayoutStore, placeAccessory, type StoredAccessory } from './layout-store.ts';
import { copyServices, sameServices, settleValues } from './services.ts';

/** Name of an accessory without one (wire-facts §1). */
const NAMELESS = 'Unknown';

const NOTHING_KNOWN: Pick<Accessory, 'services' | 'virtual'> = { services: [], virtual: null };

interface AccessoryRegistryDeps extends HomeDeps<'state' | 'clock' | 'logger'> {
  readonly store: LayoutStore;
  readonly lastValues: Pick<LastValues, 'take'>;
}

export class AccessoryRegistry implements DriverSink {
  readonly #deps: AccessoryRegistryDeps;
  readonly #throttle: LogThrottle;

  constructor(deps: AccessoryRegistryDeps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
  }

  describe(homeId: string, source: string, accessories: readonly DescribedAccessory[]): void {
    this.#guard('describe', source, () => {
      const room = this.#deps.state.rooms(homeId).find(({ isDefault }) => isDefault);
      if (!room) throw new Error(`There is no home ${homeId}`);
      const known = this.#deps.store.accessoriesOf(source);
      const here = known.filter((stored) => stored.homeId === homeId);
      const elsewhere = known.filter((stored) => stored.homeId !== homeId);
      const present = this.#settle(known, accessories, source, room);
      const ids = new Set(present.map(({ stored }) => stored.id));
      const now = this.#deps.clock.now();
      const vanished = here
        .filter((stored) => !ids.has(stored.id) && stored.removedAt === null && stored.vanishedAt === null)
        // Right after start the clock may be in 1970; an accessory cannot vanish before it was created.
        .map((stored) => ({ ...stored, vanishedAt: Math.max(now, stored.createdAt) }));
      this.#save(source, { here, elsewhere }, [...present.map(({ stored }) => stored), ...vanished]);
      this.#deps.state.removeAccessories(elsewhere.map(({ id }) => id));
      this.#show([
        ...present.map(({ stored, ...described }) => placeAccessory(stored, described)),
        ...vanished.map((stored) => placeAccessory(stored, this.#deps.state.accessory(stored.id) ?? NOTHING_KNOWN)),
      ]);
    });
  }

  report(source: string, values: readonly ReportedValue[]): void {
    for (const value of values) {
      try {
        this.#apply(source, value);
      } catch (error) {
        this.#failed('report', source, error);
      }
    }
  }

  #apply(source: string, { aid, iid, value, via }: ReportedValue): void {
    const accessory = this.#deps.state.findByAddress({ source, aid });
    const characteristic = accessory && this.#deps.state.characteristic({ accessoryId: accessory.id, iid });
    if (!accessory || !characteristic) return;
    if (characteristic.type === PROGRAMMABLE_SWITCH_EVENT) {
      // Only an event is a press; a read returns the last press or nothing.
      if (via === 'event' && typeof value === 'number') this.#deps.state.press(accessory.id, iid, value);
    } else if (via !== 'write' || characteristic.permissions.includes('pr')) {
      this.#deps.state.applyValue(accessory.id, iid, value, via === 'write' ? 'write' : 'device');
    }
  }

  setReachable(source: string, reachable: boolean, aid?: HapId): void {
    this.#guard('setReachable', source, () => {
      for (const { id, address } of this.#deps.state.accessoriesOf(source)) {
        if (aid === undefined || address.aid === aid) this.#deps.state.setReachable(id, reachable);
      }
    });
  }

  /**
   * Removes a source's accessories from the home. Their ids, names and rooms are kept for 30 days in case it is paired
   * again.
   */
  forget(source: string): void {
    this.#guard('forget', source, () => {
      this.#deps.store.transaction(() => this.#deps.store.removeSource(source, this.#deps.clock.now()));
    });
    this.#guard('forget', source, () => {
      this.#deps.state.removeAccessories(this.#deps.state.accessoriesOf(source).map(({ id }) => id));
    });
  }

  setConnected(homeId: string, connected: boolean): void {
    this.#guard('setConnected', homeId, () => this.#deps.state.setConnected(homeId, connected));
  }

  /** Determines the row of each described accessory, and its services with their known values. */
  #settle(known: readonly StoredAccessory[], described: readonly DescribedAccessory[], source: string, room: Room) {
    const byAid = new Map(known.map((stored) => [stored.aid, stored]));
    const isNew = described.some(({ aid }) => byAid.get(aid)?.homeId !== room.homeId);
    const endings = isNew ? this.#deps.store.idEndings(room.homeId) : new Set<string>();
    const seen = new Set<HapId>();
    const present: ({ stored: StoredAccessory } & Pick<Accessory, 'services' | 'virtual'>)[] = [];
    for (const accessory of described) {
      // A duplicate aid is a fault of the device; the first one wins.
      if (seen.has(accessory.aid)) continue;
      seen.add(accessory.aid);
      const stored = this.#identify(byAid.get(accessory.aid), accessory, source, room, endings);
      present.push({
        stored,
        services: this.#withValues(stored.id, accessory),
        virtual: accessory.virtual ?? null,
      });
    }
    return present;
  }

  #identify(
    known: StoredAccessory | undefined,
    { aid, name, category, firstRoomId }: DescribedAccessory,
    source: string,
    room: Room,
    endings: Set<string>,
  ): StoredAccessory {
    const described = { deviceName: showableName(name) || NAMELESS, category, vanishedAt: null, removedAt: null };
    if (known?.homeId === room.homeId) return { ...known, ...described };
    // New to this home; if it was paired into another home before, it keeps its custom name.
    const id = deriveAccessoryId(source, aid, endings);
    endings.add(id.slice(-4));
    return {
      ...described,
      id,
      homeId: room.homeId,
      roomId: firstRoomId ?? room.id,
      source,
      aid,
      customName: known?.customName ?? null,
      icon: known?.icon ?? null,
      createdAt: this.#deps.clock.now(),
    };
  }

  /** A virtual accessory is described with its current values, because its driver keeps them. */
  #withValues(id: string, { services, virtual }: DescribedAccessory): readonly Service[] {
    const current = this.#deps.state.accessory(id)?.services ?? [];
    const restored = this.#deps.lastValues.take(id);
    const settled = virtual
      ? copyServices(services)
      : settleValues(withOwnCharacteristics(services), current, restored);
    return sameServices(current, settled) ? current : settled;
  }

  /** Stores the changes. A full disk must not hide devices: they are shown, and stored the next time. */
  #save(
    source: string,
    before: { here: readonly StoredAccessory[]; elsewhere: readonly StoredAccessory[] },
    after: readonly StoredAccessory[],
  ): void {
    const old = new Map(before.here.map((stored) => [stored.aid, stored]));
    const changed = after.filter((stored) => !sameRow(old.get(stored.aid), stored));
    if (changed.length === 0 && before.elsewhere.length === 0) return;
    try {
      this.#deps.store.transaction(() => {
        for (const { id } of before.elsewhere) this.#deps.store.deleteAccessory(id);
        for (const stored of changed) this.#deps.store.saveAccessory(stored);
      });
    } catch (error) {
      this.#throttle.once(`save ${source}`, () =>
        this.#deps.logger.warn(
          { device: source, name: after[0]?.customName ?? after[0]?.deviceName, error: messageOf(error) },
          'Could not save accessories',
        ),
      );
    }
  }

  #show(placed: readonly PlacedAccessory[]): void {
    const changed = placed.filter((accessory) => !isShown(this.#deps.state.accessory(accessory.id), accessory));
    if (changed.length > 0) this.#deps.state.putAccessories(changed);
  }

  /** Catches errors, so that a report never throws at the driver. */
  #guard(what: string, source: string, take: () => void): void {
    try {
      take();
    } catch (error) {
      this.#failed(what, source, error);
    }
  }

  #failed(what: string, source: string, error: unknown): void {
    this.#throttle.once(`${what} ${source}`, () =>
      this.#deps.logger.error(
        {
          report: what,
          device: source,
          name: this.#deps.state.accessoriesOf(source)[0]?.name,
          error: messageOf(error),
        },
        'Could not process a report of a device',
      ),
    );
  }
}

function sameRow(a: StoredAccessory | undefined, b: StoredAccessory): boolean {
  return a !== undefined && (Object.keys(b) as (keyof StoredAccessory)[]).every((key) => a[key] === b[key]);
}

function isShown(shown: Accessory | undefined, placed: PlacedAccessory): boolean {
  return (
    shown !== undefined &&
    shown.name === placed.name &&
    shown.roomId === placed.roomId &&
    shown.category === placed.category &&
    shown.vanishedAt === placed.vanishedAt &&
    shown.icon === placed.icon &&
    shown.virtual === placed.virtual &&
    shown.services === placed.services
  );
}
