/**
 * Executes one write call: in as few requests as the device accepts, with one outcome per write, and never one
 * actuation too many. A write that the device certainly did not execute is sent again (busy, not verified, never sent,
 * parts of a failed batch). If a response was lost, the value is read before anything is repeated.
 */
import { randomInt } from 'node:crypto';
import type { WriteOutcome } from '../../../home/accessory-driver.ts';
import { type Clock, sleep } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import type { CharacteristicsAnswer } from '../wire/characteristic-requests.ts';
import { normalizeValue } from '../wire/characteristic-values.ts';
import { batchWrites, type CharacteristicId, failureOf, keyOf, STATUS } from '../wire/characteristics-codec.ts';
import { ConnectionError } from '../wire/connection.ts';
import type { CommandAnswer } from '../wire/shared-write.ts';
import { isMessage, isReadable, isWorthAsking } from './characteristic-index.ts';
import { cutUp } from './read-values.ts';
import {
  type Asked,
  asking,
  type Confirmed,
  type Course,
  FRESH,
  type Item,
  isRefusedThroughout,
  isSame,
  itemOf,
  type Live,
  needsPreparing,
  type RequestedWrite,
  type WriteObserver,
  type WriteSession,
} from './write-item.ts';

export interface WriterDeps {
  readonly link: WriteSession;
  readonly observer: WriteObserver;
  /** One map per session; empty at first. */
  readonly pending: PendingCommands;
  readonly clock: Clock;
  /** The limit from the call to its outcome. */
  readonly writeMs: number;
  /** How long a write waits for a device that is not connected. */
  readonly offlineMs: number;
}

/**
 * The newest command for each characteristic (by key) that has no outcome yet. A repeat of an older command would undo
 * it.
 */
export type PendingCommands = Map<string, object>;

const BUSY_TRIES = 3;
const BUSY_PAUSE_MS = 300;
/** The TTL of a prepared write. The write follows immediately; this covers a slow device. */
const TIMED_WRITE_TTL_MS = 5_000;

/** @returns one outcome per write, in the order given, within the deadline. Never throws. */
export function writeAll(writes: readonly RequestedWrite[], deps: WriterDeps): Promise<readonly WriteOutcome[]> {
  return new WriteJob(writes, deps).run();
}

class WriteJob {
  readonly #writes: readonly RequestedWrite[];
  readonly #deps: WriterDeps;
  readonly #deadline: number;
  readonly #outcomes: (WriteOutcome | undefined)[];
  #undecided: number;
  #finish: (outcomes: readonly WriteOutcome[]) => void = () => {};

  constructor(writes: readonly RequestedWrite[], deps: WriterDeps) {
    this.#writes = writes;
    this.#deps = deps;
    this.#deadline = deps.clock.monotonic() + deps.writeMs;
    this.#outcomes = writes.map(() => undefined);
    this.#undecided = writes.length;
  }

  run(): Promise<readonly WriteOutcome[]> {
    if (this.#undecided === 0) return Promise.resolve([]);
    const { pending } = this.#deps;
    for (const write of this.#writes) pending.set(keyOf(write), this);
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(this.#deps.writeMs, () =>
        this.#settleRest(`The device did not answer within ${Math.round(this.#deps.writeMs / 1000)} s.`),
      );
      this.#finish = (outcomes) => {
        cancel();
        for (const write of this.#writes) if (this.#isNewest(write)) pending.delete(keyOf(write));
        resolve(outcomes);
      };
      // With an open connection, the request is sent before any await.
      const { live } = this.#deps.link;
      if (live) this.#start(live);
      else void this.#startOnceLive();
    });
  }

  async #startOnceLive(): Promise<void> {
    const { link, offlineMs } = this.#deps;
    const live = await link.awaitLive(offlineMs, false);
    if (live) this.#start(live);
    else this.#settleRest(link.fault);
  }

  #start(live: Live): void {
    const items: Item[] = [];
    for (const [place, write] of this.#writes.entries()) {
      const settle = (outcome: WriteOutcome): void => this.#settle(place, outcome);
      const tracked = live.index.find(write);
      if (tracked) items.push(itemOf(tracked, write.value, settle));
      else settle({ ok: false, ...failureOf(STATUS.notFound) });
    }
    // This should not fail; if it does, the caller still needs an outcome.
    this.#send(items, live, FRESH).catch((error: unknown) =>
      this.#settleRest(`The write failed (${messageOf(error)}).`),
    );
  }

  /** Sends items that are not decided yet. Resolves when they are. */
  async #send(items: readonly Item[], live: Live, course: Course): Promise<void> {
    const { limits } = live.requests;
    const timed = items.filter(needsPreparing);
    const plain = timed.length === 0 ? items : items.filter((item) => !needsPreparing(item));
    const batches = [...batchWrites(plain, limits.current), ...batchWrites(timed, limits.current)];
    await Promise.all(batches.map((batch) => this.#sendBatch(batch, live, course)));
  }

  async #sendBatch(batch: readonly Item[], live: Live, course: Course): Promise<void> {
    const isTimed = batch.some(needsPreparing);
    const asked = asking(live);
    let answer: CommandAnswer;
    try {
      if (isTimed) answer = await this.#prepareAndWrite(batch, live);
      else if (course.alone) answer = await live.requests.write(batch, { urgent: true, sendBy: this.#deadline });
      else answer = await live.requests.command(batch, this.#deadline);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      await this.#survive(batch, error, course);
      return;
    }
    // A device rejects the value if its prepared write expired. It also rejects an invalid value, and then rejects the
    // retry too.
    if (isTimed && !course.prepared && isRefusedThroughout(answer)) {
      await this.#again(batch, live, { ...course, prepared: true }, (item) => this.#fail(item, STATUS.invalidValue));
    } else if ('status' in answer && answer.status === STATUS.ok) {
      this.#confirm(
        batch.map((item) => ({ item })),
        asked,
      );
    } else await this.#read(answer, batch, asked, course);
  }

  /** Queues both requests at once, so that no other request comes between them. */
  async #prepareAndWrite(batch: readonly Item[], { requests }: Live): Promise<CharacteristicsAnswer> {
    const options = { urgent: true, sendBy: this.#deadline };
    const pid = String(randomInt(1, 2 ** 47));
    const [prepared, written] = await Promise.allSettled([
      requests.prepare(pid, TIMED_WRITE_TTL_MS, options),
      requests.write(batch, options, pid),
    ]);
    if (written.status === 'rejected') throw written.reason;
    if (prepared.status === 'fulfilled' && prepared.value !== STATUS.ok) return { status: prepared.value };
    return written.value;
  }

  async #read(answer: CommandAnswer, batch: readonly Item[], asked: Asked, course: Course): Promise<void> {
    if ('status' in answer) {
      const alone = { ...course, alone: true };
      if (answer.isShared) await this.#sendAlone(answer.status, batch, asked, alone);
      else await this.#readWhole(answer.status, batch, asked, course);
      return;
    }
    const elements = new Map(answer.map((element) => [keyOf(element), element]));
    const busy: Item[] = [];
    const done: Confirmed[] = [];
    for (const item of batch) {
      // Some devices list only the failures.
      const { status, value } = elements.get(keyOf(item)) ?? { status: STATUS.ok };
      if (status === STATUS.ok) done.push({ item, answered: value });
      else if (status === STATUS.busy && course.busyTries < BUSY_TRIES) busy.push(item);
      else this.#fail(item, status);
    }
    this.#confirm(done, asked);
    if (busy.length > 0) await this.#afterPause(busy, asked, course);
  }

  /** A request failed as a whole that carried other commands too. */
  async #sendAlone(status: number, batch: readonly Item[], asked: Asked, course: Course): Promise<void> {
    const left = status === STATUS.unexplained ? await this.#undone(batch, asked) : batch;
    await this.#again(left, asked, course, (item) => this.#fail(item, status));
  }

  async #readWhole(status: number, batch: readonly Item[], asked: Asked, course: Course): Promise<void> {
    if (status === STATUS.busy && course.busyTries < BUSY_TRIES) return this.#afterPause(batch, asked, course);
    // An error without a status may be a garbled success: a value that is already set is not sent again.
    const left = status === STATUS.unexplained ? await this.#undone(batch, asked) : batch;
    const parts = status === STATUS.busy || batch.length === 1 ? [left] : cutUp(left);
    if (parts.length === 1 && left.length === batch.length) for (const item of left) this.#fail(item, status);
    else await Promise.all(parts.map((part) => this.#again(part, asked, course, (item) => this.#fail(item, status))));
  }

  async #afterPause(items: readonly Item[], live: Live, course: Course): Promise<void> {
    await sleep(this.#deps.clock, BUSY_PAUSE_MS * course.busyTries);
    const again = { ...course, busyTries: course.busyTries + 1 };
    await this.#again(items, live, again, (item) => this.#fail(item, STATUS.busy));
  }

  /**
   * Retries the items that the device certainly did not execute, while the caller still waits.
   * @param giveUp handles an item that a newer command has replaced
   */
  async #again(items: readonly Item[], live: Live, course: Course, giveUp: (item: Item) => void): Promise<void> {
    for (const item of items) if (!this.#isNewest(item)) giveUp(item);
    const wanted = items.filter((item) => this.#isNewest(item));
    if (wanted.length > 0 && this.#undecided > 0) await this.#send(wanted, live, course);
  }

  #isNewest(id: CharacteristicId): boolean {
    return this.#deps.pending.get(keyOf(id)) === this;
  }

  /**
   * The connection broke. Items that were not executed are sent again on the next one; those that may have been are
   * read first.
   */
  async #survive(batch: readonly Item[], error: ConnectionError, course: Course): Promise<void> {
    if (!error.maybeDone) {
      const live = await this.#nextLive(error, course);
      const giveUp = (item: Item): void => this.#giveUp([item], error.message);
      if (live) await this.#again(batch, live, { ...course, repeated: true }, giveUp);
      else batch.forEach(giveUp);
      return;
    }
    const lost = `${error.message}. Whether the device carried it out is not known`;
    // A characteristic that can't be read can't be verified.
    this.#giveUp(
      batch.filter(({ tracked }) => !isReadable(tracked)),
      lost,
    );
    const readable = batch.filter(({ tracked }) => isReadable(tracked));
    const live = readable.length > 0 ? await this.#nextLive(error, course) : undefined;
    const giveUp = (item: Item): void => this.#giveUp([item], lost);
    if (!live) readable.forEach(giveUp);
    else await this.#again(await this.#notDone(readable, live, lost), live, { ...course, repeated: true }, giveUp);
  }

  async #nextLive(error: ConnectionError, course: Course): Promise<Live | undefined> {
    const { link, offlineMs, clock } = this.#deps;
    const left = this.#deadline - clock.monotonic();
    if (course.repeated || error.fault === 'expired' || left <= 0) return undefined;
    // After a request timeout, the wait is no longer than for a device that is not connected.
    return link.awaitLive(error.fault === 'timeout' ? Math.min(left, offlineMs) : left, error.maybeDone);
  }

  /** Reads the values of writes whose response was lost. @returns those that the device did not execute */
  async #notDone(items: readonly Item[], live: Live, lost: string): Promise<readonly Item[]> {
    const asked = asking(live);
    const values = await this.#readBack(items, asked);
    const left = this.#confirmDone(items, values, asked);
    const isKnown = (item: Item): boolean => values.get(keyOf(item)) !== undefined;
    this.#giveUp(
      left.filter((item) => !isKnown(item)),
      lost,
    );
    return left.filter(isKnown);
  }

  /** @returns those with a different value, or that can't be read */
  async #undone(items: readonly Item[], live: Live): Promise<readonly Item[]> {
    const readable = items.filter(({ tracked }) => isReadable(tracked));
    if (readable.length === 0) return items;
    const asked = asking(live);
    return this.#confirmDone(items, await this.#readBack(readable, asked), asked);
  }

  async #readBack(items: readonly Item[], { requests }: Live): Promise<ReadonlyMap<string, Json | undefined>> {
    const answer = await requests.read(items, { urgent: true }).catch(() => undefined);
    return new Map(answer && !('status' in answer) ? answer.map((one) => [keyOf(one), one.value]) : []);
  }

  #confirmDone(items: readonly Item[], values: ReadonlyMap<string, Json | undefined>, asked: Asked): readonly Item[] {
    const done = items.filter((item) => isSame(item, values.get(keyOf(item))));
    this.#confirm(
      done.map((item) => ({ item })),
      asked,
    );
    return items.filter((item) => !done.includes(item));
  }

  #giveUp(items: readonly Item[], why: string): void {
    for (const item of items) item.settle({ ok: false, reason: 'unreachable', detail: `${why}.` });
  }

  #confirm(done: readonly Confirmed[], asked: Asked): void {
    if (done.length === 0) return;
    const items = done.map(({ item, answered }) => ({
      settle: item.settle,
      tracked: asked.index.find(item) ?? item.tracked,
      value: answered === undefined ? item.value : normalizeValue(item.tracked.characteristic.format, answered),
    }));
    this.#deps.observer.written(items, asked, asked.askedAt);
    for (const { settle, value } of items) settle({ ok: true, value });
  }

  #fail(item: Item, status: number): void {
    if (status === STATUS.unreachable && isMessage(item.tracked)) {
      void this.#failMessage(item);
      return;
    }
    if (status === STATUS.unreachable) this.#deps.observer.writeFailed(item.aid);
    item.settle({ ok: false, ...failureOf(status) });
  }

  /**
   * Decides what −70402 to a write of a TLV8 or data message means. The device may not understand the message:
   * HAP-NodeJS sends this status when a handler fails. The accessory is unreachable only if it answers no other read
   * either.
   */
  async #failMessage(item: Item): Promise<void> {
    const { live } = this.#deps.link;
    const other = live?.index.readable().find((tracked) => tracked.aid === item.aid && isWorthAsking(tracked));
    const asked = live && other ? live.requests.read([other], { urgent: true }) : undefined;
    const answer = await asked?.catch(() => undefined);
    const isThere = Array.isArray(answer) && answer.some(({ status }) => status === STATUS.ok);
    if (!isThere) this.#deps.observer.writeFailed(item.aid);
    item.settle({ ok: false, ...failureOf(isThere ? STATUS.invalidValue : STATUS.unreachable) });
  }

  #settle(place: number, outcome: WriteOutcome): void {
    if (this.#outcomes[place]) return;
    this.#outcomes[place] = outcome;
    this.#undecided -= 1;
    if (this.#undecided === 0) this.#finish(this.#outcomes as readonly WriteOutcome[]);
  }

  #settleRest(detail: string): void {
    for (const place of this.#writes.keys()) this.#settle(place, { ok: false, reason: 'unreachable', detail });
  }
}
