/**
 * Stands before the drivers, for writes of callers. It takes what is written to the relay's own characteristic of a
 * lamp, notes colours that someone sets, and gives a lamp that is turned on its colour in the same request.
 */
import { CHARACTERISTIC } from '../../hap-spec/characteristics.ts';
import type { AccessoryDriver, DriverWrite, WriteOutcome } from '../../home/accessory-driver.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, AccessoryAddress, Characteristic, HapId } from '../../home/model.ts';
import { messageOf } from '../../kernel/errors.ts';
import { COLOUR_TYPES } from './colour-change.ts';
import type { Follower } from './follower.ts';

type Driver = Pick<AccessoryDriver, 'write' | 'identify'>;

interface AdaptiveDriverDeps {
  readonly driver: Driver;
  readonly state: HomeState;
  readonly follower: Follower;
  /** Sets whether a lamp follows the day. @throws what the disk answered */
  setLamp(accessory: Accessory, serviceIid: HapId, follows: boolean): void;
}

/** A write with its place in the home. */
interface Placed {
  readonly write: DriverWrite;
  readonly accessory: Accessory;
  readonly serviceIid: HapId;
  readonly characteristic: Characteristic;
}

interface Lit {
  readonly accessory: Accessory;
  readonly serviceIid: HapId;
  readonly write: DriverWrite;
}

export class AdaptiveDriver implements Driver {
  readonly #deps: AdaptiveDriverDeps;

  constructor(deps: AdaptiveDriverDeps) {
    this.#deps = deps;
  }

  identify(address: AccessoryAddress): Promise<void> {
    return this.#deps.driver.identify(address);
  }

  /** @returns one outcome per write, in the order given */
  write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    const placed = writes.map((write) => this.#place(write));
    const undo = placed.map((one) => this.#noteColour(one));
    const lit = this.#lit(placed);
    const isOrdinary = lit.length === 0 && undo.every((one) => one === undefined) && !placed.some(isOwn);
    return isOrdinary ? this.#deps.driver.write(writes) : this.#writeOwn(placed, writes, undo, lit);
  }

  /** Writes of which some concern the light of the day. */
  async #writeOwn(
    placed: readonly (Placed | undefined)[],
    writes: readonly DriverWrite[],
    undo: readonly ((() => void) | undefined)[],
    lit: readonly Lit[],
  ): Promise<readonly WriteOutcome[]> {
    const toDevices = writes.filter((_, index) => !isOwn(placed[index]));
    const sent = [...toDevices, ...lit.map(({ write }) => write)];
    const answers = sent.length > 0 ? await this.#deps.driver.write(sent) : [];
    for (const [index, { accessory, serviceIid }] of lit.entries()) {
      this.#deps.follower.turnedOn(accessory, serviceIid, answers[toDevices.length + index]?.ok === true);
    }
    const next = answers[Symbol.iterator]();
    return placed.map((one, index) => {
      // In the order given: a lamp that follows the day again is not paused by a colour of the same request.
      if (one && isOwn(one)) return this.#setOwn(one);
      const answer = next.next();
      if (answer.done) throw new Error('A driver left a write without an outcome');
      if (!answer.value.ok) undo[index]?.();
      return answer.value;
    });
  }

  #place(write: DriverWrite): Placed | undefined {
    const accessory = this.#deps.state.findByAddress(write.address);
    for (const service of accessory?.services ?? []) {
      const characteristic = service.characteristics.find(({ iid }) => iid === write.iid);
      if (accessory && characteristic) return { write, accessory, serviceIid: service.iid, characteristic };
    }
    return undefined;
  }

  #noteColour(placed: Placed | undefined): (() => void) | undefined {
    if (!placed || !COLOUR_TYPES.has(placed.characteristic.type)) return undefined;
    return this.#deps.follower.colourSet(placed.accessory, placed.serviceIid);
  }

  /** The colours of lamps that these writes turn on. A lamp whose colour is set is paused by now. */
  #lit(placed: readonly (Placed | undefined)[]): readonly Lit[] {
    return placed.flatMap((one) => {
      if (one?.characteristic.type !== CHARACTERISTIC.powerState || !one.write.value) return [];
      const { accessory, serviceIid } = one;
      const dimmed = placed.find(
        (other) =>
          other?.accessory === accessory &&
          other.serviceIid === serviceIid &&
          other.characteristic.type === CHARACTERISTIC.brightness,
      );
      const brightness = typeof dimmed?.write.value === 'number' ? dimmed.write.value : undefined;
      const write = this.#deps.follower.turningOn(accessory, serviceIid, brightness);
      return write ? [{ accessory, serviceIid, write }] : [];
    });
  }

  #setOwn({ accessory, serviceIid, write: { value } }: Placed): WriteOutcome {
    try {
      this.#deps.setLamp(accessory, serviceIid, value === true);
      return { ok: true, value: value === true };
    } catch (error) {
      return { ok: false, reason: 'device_error', detail: messageOf(error) };
    }
  }
}

function isOwn(placed: Placed | undefined): boolean {
  return placed?.characteristic.type === CHARACTERISTIC.adaptiveLighting;
}
