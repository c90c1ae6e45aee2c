/** What befalls the home, and when: all of it drawn from a seed before anything starts. */
import { seededRandom } from '../e2e/chaos-fixture.ts';

/** What happens to the daemon itself. The last third of a run is without them: it is one long life. */
export const DAEMON_FAULTS = ['kill', 'restart'] as const;
/** What happens to one device that is announced. */
export const MOVING_FAULTS = ['move', 'lose-mdns'] as const;
/** What happens to one device. */
export const DEVICE_FAULTS = ['cut', 'corrupt', 'forget', 'drop', 'off', 'slow', 'silent', 'busy'] as const;
/** Who the daemon sends to is away. */
export const RECEIVER_FAULTS = ['broker-away', 'receiver-away'] as const;

export const FAULTS = [...DAEMON_FAULTS, ...MOVING_FAULTS, ...DEVICE_FAULTS, ...RECEIVER_FAULTS] as const;
export type FaultKind = (typeof FAULTS)[number];

export interface Fault {
  /** Milliseconds from the start of the run. */
  readonly at: number;
  readonly kind: FaultKind;
  /** Which device, where one is concerned. */
  readonly device: number;
  readonly lastsMs: number;
  /** Where a reply is cut or corrupted. */
  readonly byte: number;
}

export interface PlanOptions {
  readonly seed: number;
  readonly durationMs: number;
  readonly devices: number;
  /** So many of the devices, the first ones, are announced. */
  readonly announced: number;
}

const GAP_MS = { from: 1_000, to: 4_000 };
const LASTS_MS = { from: 500, to: 8_000 };
/** A frame of a reply is longer than this. */
const BYTES = 60;
const WITH_DAEMON_FAULTS = 2 / 3;

/** Every kind comes once before one comes again, each time in another order. */
export function makePlan({ seed, durationMs, devices, announced }: PlanOptions): readonly Fault[] {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const between = ({ from, to }: { from: number; to: number }): number => from + below(to - from);
  const plan: Fault[] = [];
  let bag: FaultKind[] = [];
  for (let at = between(GAP_MS); at < durationMs; at += between(GAP_MS)) {
    if (bag.length === 0) bag = [...FAULTS];
    const [kind] = bag.splice(below(bag.length), 1) as [FaultKind];
    const fault = {
      ...{ at, kind, device: below(isOneOf(MOVING_FAULTS, kind) ? announced : devices) },
      ...{ lastsMs: between(LASTS_MS), byte: below(BYTES) },
    };
    if (at < durationMs * WITH_DAEMON_FAULTS || !isOneOf(DAEMON_FAULTS, kind)) plan.push(fault);
  }
  return plan;
}

export function isOneOf<K extends FaultKind>(kinds: readonly K[], kind: FaultKind): kind is K {
  return (kinds as readonly FaultKind[]).includes(kind);
}
