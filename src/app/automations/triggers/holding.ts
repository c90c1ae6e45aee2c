/**
 * "For": something has become so, and fires when it has been so for a while. Kept under the watch's key, so that it goes on after a
 * restart; a hold that came due meanwhile fires late or is missed, by the rule for everything that was due (decisions §10).
 *
 * It lasts so long, and not until a moment: it moves with a clock that is set back. After a restart nothing is decided by what the
 * house remembers while the devices behind it may still be heard from.
 */
import { messageOf } from '../../../kernel/errors.ts';
import type { Json } from '../flow.ts';
import type { Cause, TriggerData } from '../program.ts';
import { endOfSpan, isPutRight } from '../spans.ts';
import type { Hold } from './hold-store.ts';
import type { TriggerWatch } from './trigger-kind.ts';

export type FiringData = Omit<TriggerData, 'id' | 'type' | 'timestamp'>;

/** How long devices have after a restart to say how things are: as long as most need to connect and be read. */
export const HEARING_MS = 30_000;
/** How often it is looked whether they have. */
const LOOK_EVERY_MS = 1_000;

export interface HoldingParts {
  readonly watch: TriggerWatch;
  readonly forMs: number;
  /** Whether it is so now; `undefined` while that can't be known. */
  readonly isSo: () => boolean | undefined;
  /** Whether the devices that it depends on have been heard from since the start. */
  readonly isHeard: () => boolean;
}

export class Holding {
  readonly #parts: HoldingParts;
  readonly #startedAt: number;
  #hold: Hold | undefined;
  #cancel: (() => void) | undefined;
  /** Begun before the start of the daemon: it is not yet known whether it was so all the time. */
  #isResumed = false;
  /** By how much it was late when it was first found due. */
  #lateMs: number | undefined;

  /** Takes up the hold that is kept under the watch's key, if there is one. */
  constructor(parts: HoldingParts) {
    this.#parts = parts;
    const { ground, key } = parts.watch;
    this.#startedAt = ground.clock.monotonic();
    this.#hold = ground.holds.find(key);
    this.#isResumed = this.#hold !== undefined;
    if (this.#hold) this.#arm(endOfSpan(this.#hold, ground.timers.now()));
  }

  get isHolding(): boolean {
    return this.#hold !== undefined;
  }

  /** What the trigger will say; `undefined` while nothing holds. */
  get data(): FiringData | undefined {
    return this.#hold && readHold(this.#hold).data;
  }

  /** It has become so; whatever held before is over. @param sinceAt when it began, where that is not now. Milliseconds. */
  begin(data: FiringData, cause: Cause, sinceAt?: number): void {
    const { watch, forMs } = this.#parts;
    const since = sinceAt ?? watch.ground.timers.now();
    this.#forget();
    this.#keep({ sinceAt: since, dueAt: since + forMs, data: writeHold(data, cause) });
    this.#arm(since + forMs);
  }

  /** It is no longer so. */
  end(): void {
    if (!this.#hold) return;
    this.#forget();
    this.#parts.watch.ground.holds.delete(this.#parts.watch.key);
  }

  /** Stops watching. What holds is kept for the next start. */
  stop(): void {
    this.#forget();
  }

  #keep(hold: Hold): void {
    this.#hold = hold;
    this.#parts.watch.ground.holds.save(this.#parts.watch.key, hold);
  }

  #forget(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#hold = undefined;
    this.#isResumed = false;
    this.#lateMs = undefined;
  }

  #arm(at: number): void {
    this.#cancel?.();
    let endsAt = at;
    this.#cancel = this.#parts.watch.ground.timers.set(at, {
      due: (now) => this.#due(now, endsAt),
      moved: (movedTo) => {
        this.#moved(movedTo - endsAt);
        endsAt = movedTo;
      },
    });
  }

  #moved(byMs: number): void {
    const hold = this.#hold;
    if (!hold) return;
    this.#keep({ ...hold, sinceAt: hold.sinceAt + byMs, dueAt: hold.dueAt + byMs });
  }

  #due(now: number, endsAt: number): void {
    const hold = this.#hold;
    if (!hold) return;
    if (isPutRight(endsAt, hold, now)) {
      this.#arm(hold.dueAt);
      return;
    }
    this.#lateMs ??= now - hold.dueAt;
    if (this.#isResumed && !this.#parts.isHeard() && this.#listenedMs() < HEARING_MS) {
      this.#arm(now + LOOK_EVERY_MS);
      return;
    }
    const { watch, isSo } = this.#parts;
    const isSoNow = isSo();
    // Nobody can say any more whether it would have fired: people are told rather than nothing.
    const isUnknown = this.#isResumed && isSoNow === undefined;
    if (isUnknown || (isSoNow && this.#lateMs > watch.ground.graceMs())) {
      this.end();
      watch.missed(hold.dueAt);
    } else if (isSoNow) {
      this.#fire(hold);
    } else {
      this.end();
    }
  }

  #listenedMs(): number {
    return this.#parts.watch.ground.clock.monotonic() - this.#startedAt;
  }

  /** The hold ends in the transaction that keeps the run which it begins; a disk that keeps nothing holds up neither. */
  #fire(hold: Hold): void {
    const { key, ground, fire } = this.#parts.watch;
    const { data, cause } = readHold(hold);
    this.#forget();
    let hasFired = false;
    try {
      ground.holds.transaction(() => {
        ground.holds.delete(key);
        hasFired = true;
        fire(data, { cause });
      });
    } catch (error) {
      ground.logger.warn(
        { trigger: key, error: messageOf(error) },
        'What a trigger began could not be written to the database',
      );
      ground.holds.delete(key);
      if (!hasFired) fire(data, { cause });
    }
  }
}

function writeHold(data: FiringData, cause: Cause): Json {
  return { data: { ...data }, chain: cause.chain.map(({ automationId, name }) => ({ automationId, name })) };
}

function readHold({ data }: Hold): { readonly data: FiringData; readonly cause: Cause } {
  const kept = data as unknown as { readonly data?: FiringData; readonly chain?: Cause['chain'] } | null;
  return { data: kept?.data ?? {}, cause: { chain: kept?.chain ?? [] } };
}
