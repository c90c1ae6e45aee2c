/**
 * Where everything that a device says about values comes together: notifications, answers to reads, confirmed writes. Decides what is
 * true (an event that overtook a read wins; two changes of one characteristic in one notification are settled by asking, and so is
 * another value that was announced between a write and its answer) and tells the home, oldest first.
 */
import type { ReportedValue } from '../../home/accessory-driver.ts';
import type { CharacteristicValue, HapId } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type CharacteristicIndex, isPress, isReadable, type Tracked } from './characteristic-index.ts';
import { normalizeValue } from './characteristic-values.ts';
import { type Element, STATUS } from './characteristics-codec.ts';
import type { Poller } from './poller.ts';
import type { Reachability } from './reachability.ts';
import type { ReadResult } from './read-values.ts';

/** `initial`: after a connect, all of it. `poll`: by the poller's plan. `settle`: because it is not clear what is true. */
export type ReadPurpose = 'initial' | 'poll' | 'settle';

/** Devices that confirm a write first and carry it out later answer reads with the old value for a while. */
const SETTLING_MS = 5_000;

export interface WrittenValue {
  readonly tracked: Tracked;
  /** As the device has it now. */
  readonly value: CharacteristicValue;
}

export class ValueIntake {
  readonly #clock: Clock;
  readonly #reachability: Reachability;
  readonly #poller: Poller;
  readonly #report: (values: readonly ReportedValue[]) => void;

  constructor(parts: {
    readonly clock: Clock;
    readonly reachability: Reachability;
    readonly poller: Poller;
    readonly report: (values: readonly ReportedValue[]) => void;
  }) {
    this.#clock = parts.clock;
    this.#reachability = parts.reachability;
    this.#poller = parts.poller;
    this.#report = parts.report;
  }

  /** @returns what the notification leaves unclear, to be read. */
  notified(elements: readonly Element[], index: CharacteristicIndex): readonly Tracked[] {
    const repeated = findRepeated(elements, index);
    const unclear = new Set<Tracked>();
    const values: ReportedValue[] = [];
    // Newest first: HAP-NodeJS turns its queue round because Apple's controllers read notifications from the end.
    for (const element of [...elements].reverse()) {
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
        index.heardUnasked(tracked, value);
        values.push(reported(tracked, value, 'event'));
      }
    }
    this.#tell(values);
    return [...unclear].filter(isReadable);
  }

  /** @param askedAt the index's sequence number when they were asked for. */
  wasRead(results: readonly ReadResult[], askedAt: number, purpose: ReadPurpose): void {
    const answered = new Set<HapId>();
    const failed = new Set<HapId>();
    const values: ReportedValue[] = [];
    for (const { tracked, status, value: raw } of results) {
      if (status === STATUS.unreachable && !tracked.isInformation) failed.add(tracked.aid);
      if (status !== STATUS.ok || raw === undefined) continue;
      if (!tracked.isInformation) answered.add(tracked.aid);
      const value = normalizeValue(tracked.characteristic.format, raw);
      const changed = tracked.value !== value;
      if (tracked.heardAt > askedAt || (purpose === 'poll' && changed && this.#isSettling(tracked))) continue;
      if (purpose === 'poll') this.#poller.wasRead(tracked, changed);
      tracked.value = value;
      if (changed || purpose !== 'poll') values.push(reported(tracked, value, 'read'));
    }
    this.#observe(answered, failed);
    this.#tell(values);
  }

  /**
   * The device confirmed these writes.
   * @param askedAt the index's sequence number when they were sent.
   * @returns what it announced otherwise meanwhile, to be read: it changed before the write, or the device made something else of it.
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
        index.heard(tracked, value);
        values.push(reported(tracked, value, 'write'));
      }
    }
    this.#tell(values);
    return unclear;
  }

  /** A write was answered with −70402. */
  writeFailed(aid: HapId): void {
    this.#reachability.childFailed(aid);
  }

  #isSettling(tracked: Tracked): boolean {
    return this.#clock.monotonic() - tracked.writtenAt < SETTLING_MS;
  }

  /** A child with one good answer is there: some of its parts may fail by themselves. */
  #observe(answered: ReadonlySet<HapId>, failed: ReadonlySet<HapId>): void {
    for (const aid of answered) this.#reachability.childAnswered(aid);
    for (const aid of failed) if (!answered.has(aid)) this.#reachability.childFailed(aid);
  }

  #tell(values: readonly ReportedValue[]): void {
    if (values.length > 0) this.#report(values);
  }
}

function findRepeated(elements: readonly Element[], index: CharacteristicIndex): ReadonlySet<Tracked> {
  const seen = new Set<Tracked>();
  const repeated = new Set<Tracked>();
  if (elements.length < 2) return repeated;
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
