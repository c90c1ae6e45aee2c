/**
 * "For": a state begins, and the trigger fires after it has held for a duration. Stored under the watch's key, so that
 * it continues after a restart. A hold that became due meanwhile fires late or is missed, by the rule for all due work
 * (decisions §10).
 *
 * It is a duration, not a fixed end time: it moves with a clock that is set back. After a restart no decision uses
 * remembered values while the devices behind them may still respond.
 */
import { messageOf } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import type { Cause, TriggerData } from '../scope.ts';
import { endOfSpan, isPutRight } from '../spans.ts';
import type { Hold } from './hold-store.ts';
import type { TriggerWatch } from './trigger-kind.ts';

export type FiringData = Omit<TriggerData, 'id' | 'type' | 'timestamp'>;

/** How long devices have after a restart to report their state: most need this long to connect and be read. */
export const REACHABILITY_WAIT_MS = 30_000;
/** The interval of the check whether they have. */
const LOOK_EVERY_MS = 1_000;

export interface HoldingDeps {
  readonly watch: TriggerWatch;
  readonly forMs: number;
  /** Whether the state holds now; `undefined` if it is unknown. */
  readonly isSo: () => boolean | undefined;
  /** Whether the devices that it depends on have responded since the start. */
  readonly isReachable: () => boolean;
}

export class Holding {
  readonly #deps: HoldingDeps;
  readonly #startedAt: number;
  #hold: Hold | undefined;
  #cancel: (() => void) | undefined;
  /** The hold began before the daemon started: whether the state held all the time is not known yet. */
  #isResumed = false;
  /** The delay at which it was first found due. */
  #lateMs: number | undefined;

  /** Resumes the hold that is stored under the watch's key, if there is one. */
  constructor(deps: HoldingDeps) {
    this.#deps = deps;
    const { triggerDeps, key } = deps.watch;
    this.#startedAt = triggerDeps.clock.monotonic();
    this.#hold = triggerDeps.holds.find(key);
    this.#isResumed = this.#hold !== undefined;
    if (this.#hold) this.#arm(endOfSpan(this.#hold, triggerDeps.timers.now()));
  }

  get isHolding(): boolean {
    return this.#hold !== undefined;
  }

  /** The firing data; `undefined` while there is no hold. */
  get data(): FiringData | undefined {
    return this.#hold && readHold(this.#hold).data;
  }

  /** The state begins; replaces an earlier hold. @param sinceAt when it began, if not now. Milliseconds. */
  begin(data: FiringData, cause: Cause, sinceAt?: number): void {
    const { watch, forMs } = this.#deps;
    const since = sinceAt ?? watch.triggerDeps.timers.now();
    this.#forget();
    this.#keep({ sinceAt: since, dueAt: since + forMs, data: writeHold(data, cause) });
    this.#arm(since + forMs);
  }

  /** The state ended. */
  end(): void {
    if (!this.#hold) return;
    this.#forget();
    this.#deps.watch.triggerDeps.holds.delete(this.#deps.watch.key);
  }

  /** Stops watching. The hold stays stored for the next start. */
  stop(): void {
    this.#forget();
  }

  #keep(hold: Hold): void {
    this.#hold = hold;
    this.#deps.watch.triggerDeps.holds.save(this.#deps.watch.key, hold);
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
    this.#cancel = this.#deps.watch.triggerDeps.timers.set(at, {
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
    if (this.#isResumed && !this.#deps.isReachable() && this.#listenedMs() < REACHABILITY_WAIT_MS) {
      this.#arm(now + LOOK_EVERY_MS);
      return;
    }
    const { watch, isSo } = this.#deps;
    const isSoNow = isSo();
    // Whether it would have fired is unknown: it is reported as missed, not dropped silently.
    const isUnknown = this.#isResumed && isSoNow === undefined;
    if (isUnknown || (isSoNow && this.#lateMs > watch.triggerDeps.graceMs())) {
      this.end();
      watch.missed(hold.dueAt);
    } else if (isSoNow) {
      this.#fire(hold);
    } else {
      this.end();
    }
  }

  #listenedMs(): number {
    return this.#deps.watch.triggerDeps.clock.monotonic() - this.#startedAt;
  }

  /** The hold is deleted in the transaction that stores the run which it starts; a storage error delays neither. */
  #fire(hold: Hold): void {
    const { key, triggerDeps, fire } = this.#deps.watch;
    const { data, cause } = readHold(hold);
    this.#forget();
    let hasFired = false;
    try {
      triggerDeps.holds.transaction(() => {
        triggerDeps.holds.delete(key);
        hasFired = true;
        fire(data, { cause });
      });
    } catch (error) {
      triggerDeps.logger.warn(
        { trigger: key, error: messageOf(error) },
        'Could not save the run that a trigger started',
      );
      triggerDeps.holds.delete(key);
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
