/**
 * Receives all values from a device: events, read responses, confirmed writes. It decides which value is current, and
 * reports values to the home, oldest first. An event that overtook a read wins. Two changes of one characteristic in
 * one event are settled by a read, and so is a different value in an event between a write and its response.
 */
import type { ReportedValue } from '../../../home/accessory-driver.ts';
import type { CharacteristicValue, HapId } from '../../../home/model.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { normalizeValue } from '../wire/characteristic-values.ts';
import { type Element, failureOf, STATUS } from '../wire/characteristics-codec.ts';
import { type CharacteristicIndex, isPress, isReadable, type Tracked } from './characteristic-index.ts';
import type { Poller } from './poller.ts';
import type { Reachability } from './reachability.ts';
import type { CharacteristicReading } from './read-values.ts';

/**
 * `initial`: everything after a connect. `poll`: by the poller's plan. `settle`: the current value is unclear. `check`:
 * whether the device is still there, or still holds the written value.
 */
export type ReadPurpose = 'initial' | 'poll' | 'settle' | 'check';

const NONE: ReadonlySet<Tracked> = new Set();

/** Devices that confirm a write before they execute it answer reads with the old value for this time. */
export const SETTLING_MS = 5_000;

export interface WrittenValue {
  readonly tracked: Tracked;
  /** The device's current value. */
  readonly value: CharacteristicValue;
}

export class ValueSink {
  /** Values that the device confirmed to a write and then dropped: unknown until the next response for them. */
  readonly withdrawn = new Set<Tracked>();
  readonly #clock: Clock;
  readonly #reachability: Reachability;
  readonly #poller: Poller;
  readonly #report: (values: readonly ReportedValue[]) => void;

  constructor(deps: {
    readonly clock: Clock;
    readonly reachability: Reachability;
    readonly poller: Poller;
    readonly report: (values: readonly ReportedValue[]) => void;
  }) {
    this.#clock = deps.clock;
    this.#reachability = deps.reachability;
    this.#poller = deps.poller;
    this.#report = deps.report;
  }

  /** @returns the characteristics that the event leaves unclear, to be read */
  onEvent(elements: readonly Element[], index: CharacteristicIndex): readonly Tracked[] {
    const repeated = elements.length > 1 ? findRepeated(elements, index) : NONE;
    const unclear = new Set<Tracked>();
    const values: ReportedValue[] = [];
    // Newest first: HAP-NodeJS reverses its queue because Apple's controllers read events from the end.
    for (let at = elements.length - 1; at >= 0; at -= 1) {
      const element = elements[at] as Element;
      const tracked = index.find(element);
      if (!tracked) continue;
      if (element.value === undefined) {
        this.#observe(new Set(), element.status === STATUS.unreachable ? new Set([tracked.aid]) : new Set());
        continue;
      }
      this.#poller.announced(tracked);
      this.#reachability.childAnswered(tracked.aid);
      const value = normalizeValue(tracked.characteristic.format, element.value);
      if (isPress(tracked)) {
        if (value !== null) values.push(reported(tracked, value, 'event'));
      } else if (value === null || repeated.has(tracked)) unclear.add(tracked);
      else {
        index.recordEvent(tracked, value);
        this.withdrawn.delete(tracked);
        values.push(reported(tracked, value, 'event'));
      }
    }
    this.#notify(values);
    return unclear.size === 0 ? [] : [...unclear].filter(isReadable);
  }

  /** @param askedAt the index's sequence number when the read was sent */
  onRead(results: readonly CharacteristicReading[], askedAt: number, purpose: ReadPurpose): void {
    const answered = new Set<HapId>();
    const failed = new Set<HapId>();
    const values: ReportedValue[] = [];
    for (const { tracked, status, value: raw } of results) {
      if (status === STATUS.unreachable && !tracked.isInformation) failed.add(tracked.aid);
      if (isGivenUp(tracked, status) && tracked.confirmedAt <= askedAt) this.#withdraw(tracked, values);
      if (status !== STATUS.ok || raw === undefined) continue;
      if (!tracked.isInformation) answered.add(tracked.aid);
      const value = normalizeValue(tracked.characteristic.format, raw);
      const changed = tracked.value !== value;
      const isRoutine = purpose === 'poll' || purpose === 'check';
      if (tracked.confirmedAt > askedAt || (isRoutine && changed && this.#isSettling(tracked))) continue;
      if (purpose === 'poll') this.#poller.wasRead(tracked, changed);
      tracked.value = value;
      tracked.isWrittenOnly = false;
      this.withdrawn.delete(tracked);
      if (changed || !isRoutine) values.push(reported(tracked, value, 'read'));
    }
    this.#observe(answered, failed);
    this.#notify(values);
  }

  /**
   * The device confirmed these writes.
   * @param askedAt the index's sequence number when they were sent
   * @returns those with a different value in an event meanwhile, to be read: the value changed before the write, or the
   * device adjusted it
   */
  written(items: readonly WrittenValue[], index: CharacteristicIndex, askedAt: number): readonly Tracked[] {
    const now = this.#clock.monotonic();
    const unclear: Tracked[] = [];
    const values: ReportedValue[] = [];
    for (const { tracked, value } of items) {
      tracked.writtenAt = now;
      this.#reachability.childAnswered(tracked.aid);
      if (!isReadable(tracked)) continue;
      if (tracked.announcedAt > askedAt && tracked.value !== value) unclear.push(tracked);
      else {
        index.record(tracked, value);
        tracked.isWrittenOnly = true;
        this.withdrawn.delete(tracked);
        values.push(reported(tracked, value, 'write'));
      }
    }
    this.#notify(values);
    return unclear;
  }

  /** A write was answered with −70402. */
  writeFailed(aid: HapId): void {
    this.#reachability.childFailed(aid);
  }

  #withdraw(tracked: Tracked, values: ReportedValue[]): void {
    this.withdrawn.add(tracked);
    if (tracked.value === null) return;
    tracked.value = null;
    values.push(reported(tracked, null, 'read'));
  }

  #isSettling(tracked: Tracked): boolean {
    return this.#clock.monotonic() - tracked.writtenAt < SETTLING_MS;
  }

  /** A child with one good response is reachable: some of its characteristics may fail by themselves. */
  #observe(answered: ReadonlySet<HapId>, failed: ReadonlySet<HapId>): void {
    for (const aid of answered) this.#reachability.childAnswered(aid);
    for (const aid of failed) if (!answered.has(aid)) this.#reachability.childFailed(aid);
  }

  #notify(values: readonly ReportedValue[]): void {
    if (values.length > 0) this.#report(values);
  }
}

/**
 * Whether the device has dropped a value that it confirmed to a write. HAP-NodeJS then answers reads with −70402 and
 * sends no event. A value from an event or a read stays while the accessory can't be reached.
 */
function isGivenUp({ isWrittenOnly }: Tracked, status: number): boolean {
  return isWrittenOnly && status !== STATUS.ok && failureOf(status).reason === 'unreachable';
}

function findRepeated(elements: readonly Element[], index: CharacteristicIndex): ReadonlySet<Tracked> {
  const seen = new Set<Tracked>();
  const repeated = new Set<Tracked>();
  for (const element of elements) {
    const tracked = index.find(element);
    if (!tracked) continue;
    if (seen.has(tracked)) repeated.add(tracked);
    seen.add(tracked);
  }
  return repeated;
}

function reported({ aid, iid }: Tracked, value: CharacteristicValue, via: ReportedValue['via']): ReportedValue {
  return { aid, iid, value, via };
}
