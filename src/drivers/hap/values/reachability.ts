/**
 * Decides the reachability of a server and its children, with hysteresis. A server that reconnects within moments was
 * never unreachable, nor was a bridge's child that missed one response. A child that repeatedly comes and goes (a
 * sleepy battery sensor) gets an ever longer grace period before it is unreachable.
 */
import type { HapId } from '../../../home/model.ts';
import type { Clock } from '../../../kernel/clock.ts';

/** A reconnect after a drop takes a second or two, a device restart a few more. */
const SERVER_GRACE_MS = 15_000;
const CHILD_GRACE_MS = 10_000;
const CHILD_GRACE_FACTOR = 4;
const CHILD_GRACE_CAP_MS = 7_200_000;
/** After this time without failures, a child's grace period is reset. */
const CHILD_WELL_MS = 6 * 3_600_000;

/**
 * Reports one accessory as reachable or unreachable. Without an `aid`, it applies to all accessories except those in
 * `away`, whose state does not change, so that they do not flicker.
 */
export type ReportReachable = (reachable: boolean, aid?: HapId, away?: ReadonlySet<HapId>) => void;

interface Child {
  /** Since when it fails, in monotonic time; `undefined` while it does not. */
  failingSince: number | undefined;
  away: boolean;
  graceMs: number;
  wellSince: number;
}

export class Reachability {
  readonly #clock: Clock;
  readonly #report: ReportReachable;
  readonly #onDoubt: () => void;
  /** Only children that have ever failed: a healthy home needs no entries. */
  readonly #children = new Map<HapId, Child>();
  /** Accessories that have ever answered. One that never did gets no grace period. */
  readonly #answered = new Set<HapId>();
  #server: boolean | undefined;
  #cancelGrace: (() => void) | undefined;

  /** @param onDoubt a child began to fail: read it again soon */
  constructor(clock: Clock, report: ReportReachable, onDoubt: () => void = () => {}) {
    this.#clock = clock;
    this.#report = report;
    this.#onDoubt = onDoubt;
  }

  /** Accessories that fail now, reported as unreachable or not. */
  get failing(): readonly HapId[] {
    return [...this.#children].filter(([, child]) => child.failingSince !== undefined).map(([aid]) => aid);
  }

  /** Whether a failing child is not yet reported as unreachable, so that it is worth reading soon. */
  get undecided(): boolean {
    return [...this.#children.values()].some((child) => child.failingSince !== undefined && !child.away);
  }

  /** The server is connected and has been read. */
  serverUp(): void {
    this.#cancelGrace?.();
    this.#cancelGrace = undefined;
    if (this.#server === true) return;
    this.#server = true;
    const away = [...this.#children].filter(([, child]) => child.away).map(([aid]) => aid);
    this.#report(true, undefined, new Set(away));
  }

  /** The server is not connected; it may reconnect soon. */
  serverDown(): void {
    if (this.#server === false || this.#cancelGrace) return;
    this.#cancelGrace = this.#clock.after(SERVER_GRACE_MS, () => this.serverGone());
  }

  /** The server does not reconnect by itself. */
  serverGone(): void {
    this.#cancelGrace?.();
    this.#cancelGrace = undefined;
    if (this.#server === false) return;
    this.#server = false;
    this.#report(false);
  }

  /** Cancels the grace period, because the server's state is unknown. Reports nothing. */
  suspend(): void {
    this.#cancelGrace?.();
    this.#cancelGrace = undefined;
  }

  childAnswered(aid: HapId): void {
    this.#answered.add(aid);
    const child = this.#children.get(aid);
    if (child?.failingSince === undefined) return;
    child.failingSince = undefined;
    child.wellSince = this.#clock.monotonic();
    if (!child.away) return;
    child.away = false;
    child.graceMs = Math.min(CHILD_GRACE_CAP_MS, child.graceMs * CHILD_GRACE_FACTOR);
    if (this.#server) this.#report(true, aid);
  }

  /** The server reports that it can't reach this child. */
  childFailed(aid: HapId): void {
    const now = this.#clock.monotonic();
    const child = this.#childOf(aid, now);
    const isNew = child.failingSince === undefined;
    child.failingSince ??= now;
    if (isNew) this.#onDoubt();
    if (child.away || (this.#answered.has(aid) && now - child.failingSince < child.graceMs)) return;
    child.away = true;
    if (this.#server) this.#report(false, aid);
  }

  /** Removes accessories that are no longer in the database. */
  keepOnly(aids: ReadonlySet<HapId>): void {
    for (const aid of this.#children.keys()) if (!aids.has(aid)) this.#children.delete(aid);
    for (const aid of this.#answered) if (!aids.has(aid)) this.#answered.delete(aid);
  }

  #childOf(aid: HapId, now: number): Child {
    let child = this.#children.get(aid);
    if (!child) {
      child = { failingSince: undefined, away: false, graceMs: CHILD_GRACE_MS, wellSince: now };
      this.#children.set(aid, child);
    } else if (child.failingSince === undefined && now - child.wellSince >= CHILD_WELL_MS) {
      child.graceMs = CHILD_GRACE_MS;
    }
    return child;
  }
}
