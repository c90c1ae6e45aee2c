/**
 * Finds who caused a change of an accessory: the caller that wrote to it, or the device itself. Each write is
 * registered before it is sent (`Control`'s `onWrite`). Memory only.
 */
import type { HomeEvents } from '../../home/events.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Service } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Caller, type Principal, runOf } from '../access/caller.ts';
import { RecentWrites } from '../control/recent-writes.ts';
import type { WriteTarget } from '../control/write-plan.ts';
import { type ActivityRow, isTarget } from './activity-rows.ts';

/** The time in which a garage door, or an alarm with a delay, reaches its target. */
const SLOW_MS = 180_000;
/** A lamp switches itself on with its brightness at once. Later, someone has used its switch. */
const SIDE_EFFECT_MS = 1_000;

export type ActivityCause = Principal | { readonly kind: 'device' };

/** What caused a change. */
export interface Attributed {
  readonly actor: ActivityCause;
  /** Of an automation: the run in which it did. */
  readonly runId: string | null;
}

/** The device itself, or the relay on its own. */
const DEVICE: Attributed = { actor: { kind: 'device' }, runId: null };
const RELAY: Attributed = { actor: { kind: 'system' }, runId: null };

export class Attribution {
  readonly #state: Pick<HomeState, 'accessory'>;
  readonly #writes: RecentWrites<Attributed>;

  constructor(deps: { state: Pick<HomeState, 'accessory'>; clock: Clock }) {
    this.#state = deps.state;
    this.#writes = new RecentWrites(deps);
  }

  /** A write is about to start. @returns the callback for when the write has settled */
  readonly onWrite = (caller: Caller, writes: readonly WriteTarget[]): (() => void) =>
    this.#writes.begin(writes, attributedTo(caller));

  /** Call for every change, in order. */
  noteChange({ accessoryId, iid, type, origin }: HomeEvents['state.changed']): void {
    // Used by hand since the last write: what follows is not the writer's.
    if (isTarget(type) && origin === 'device' && !this.#writes.of(accessoryId, iid)) {
      this.#writes.forget(accessoryId, iid);
    }
  }

  /** The cause of a change. */
  of(change: HomeEvents['state.changed'], { target }: ActivityRow): Attributed {
    const { accessoryId, serviceIid, iid, origin } = change;
    const direct = this.#writes.of(accessoryId, iid);
    if (direct) return direct;
    const service = this.#state.accessory(accessoryId)?.services.find((one) => one.iid === serviceIid);
    const byOther = target === undefined ? this.#ofService(change, service) : this.#ofTarget(change, service, target);
    return byOther ?? (origin === 'write' ? RELAY : DEVICE);
  }

  /** The writer of the target, if the device has reached it. */
  #ofTarget(
    { accessoryId, value }: HomeEvents['state.changed'],
    service: Service | undefined,
    target: string,
  ): Attributed | undefined {
    const wanted = service?.characteristics.find(({ type }) => type === target);
    if (!wanted || wanted.value !== value) return undefined;
    return this.#writes.of(accessoryId, wanted.iid, SLOW_MS);
  }

  #ofService(
    { accessoryId, serviceIid, iid }: HomeEvents['state.changed'],
    service: Service | undefined,
  ): Attributed | undefined {
    const characteristic = service?.characteristics.find((one) => one.iid === iid);
    const isWritable = characteristic?.permissions.includes('pw') ?? false;
    return this.#writes.ofService(accessoryId, serviceIid, isWritable ? SIDE_EFFECT_MS : undefined);
  }
}

/** What a caller causes itself. */
export function attributedTo(caller: Caller): Attributed {
  return { actor: caller.principal, runId: runOf(caller) };
}
