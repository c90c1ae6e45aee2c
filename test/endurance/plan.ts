/** What befalls the home, and when: all of it drawn from a seed before anything starts. */
import { seededRandom } from '../e2e/chaos-fixture.ts';

/** What happens to the daemon itself. The last third of a run is without them: it is one long life. */
export const DAEMON_FAULTS = ['kill', 'restart'] as const;
/** What happens to one device that is announced. */
export const MOVING_FAULTS = ['move', 'move-address', 'lose-mdns'] as const;
/** What happens to one device. */
export const DEVICE_FAULTS = ['cut', 'corrupt', 'forget', 'drop', 'off', 'slow', 'silent', 'busy'] as const;
/** Who the daemon sends to is away. */
const RECEIVER_FAULTS = ['broker-away', 'receiver-away'] as const;
/** The disk of the daemon is full, and its wall clock wrong, for a while. */
const HOST_FAULTS = ['full-disk', 'clock-ahead', 'clock-back'] as const;

export const FAULTS = [
  ...DAEMON_FAULTS,
  ...MOVING_FAULTS,
  ...DEVICE_FAULTS,
  ...RECEIVER_FAULTS,
  ...HOST_FAULTS,
] as const;
export type FaultKind = (typeof FAULTS)[number];
/** What happens to one device. */
export type DeviceFault = (typeof DEVICE_FAULTS)[number] | (typeof MOVING_FAULTS)[number];

export interface Fault {
  /** Milliseconds from the start of the run. */
  readonly at: number;
  readonly kind: FaultKind;
  /** Which device, where one is concerned. */
  readonly device: number;
  readonly lastsMs: number;
  /** Where a reply is cut or corrupted. */
  readonly byte: number;
  /** By how much a clock is wrong. */
  readonly wrongByMs: number;
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
/** Most wrong clocks are so by less than what makes things too late to be done; some are by more. */
const NEAR_MS = { from: 2_000, to: 180_000 };
const FAR_MS = { from: 600_000, to: 7_200_000 };
const FAR_CLOCKS = 1 / 6;
/** In a run of restarts, a life goes on for so long after everything was found to be right. */
const LIFE_MS = { from: 0, to: 1_000 };
/** In a run of restarts, so many of them are kills. */
const KILLS = 3 / 4;

/** Every kind comes once before one comes again, each time in another order. */
export function makePlan({ seed, durationMs, devices, announced }: PlanOptions): readonly Fault[] {
  const { below, between, random } = numbersOf(seed);
  const plan: Fault[] = [];
  let bag: FaultKind[] = [];
  for (let at = between(GAP_MS); at < durationMs; at += between(GAP_MS)) {
    if (bag.length === 0) bag = [...FAULTS];
    const [kind] = bag.splice(below(bag.length), 1) as [FaultKind];
    const fault = {
      ...{ at, kind, device: below(isOneOf(MOVING_FAULTS, kind) ? announced : devices) },
      ...{ lastsMs: between(LASTS_MS), byte: below(BYTES) },
      wrongByMs: between(random() < FAR_CLOCKS ? FAR_MS : NEAR_MS),
    };
    if (at < durationMs * WITH_DAEMON_FAULTS || !isOneOf(DAEMON_FAULTS, kind)) plan.push(fault);
  }
  return plan;
}

/** Ends of the daemon alone, one after the other, each as soon as the one before is over. */
export function planRestarts(seed: number, count: number): readonly Fault[] {
  const { between, random } = numbersOf(seed);
  return Array.from({ length: count }, () => {
    const kind = random() < KILLS ? 'kill' : 'restart';
    return { at: 0, kind, device: 0, lastsMs: between(LIFE_MS), byte: 0, wrongByMs: 0 };
  });
}

interface Numbers {
  readonly random: () => number;
  readonly below: (limit: number) => number;
  readonly between: (range: { readonly from: number; readonly to: number }) => number;
}

function numbersOf(seed: number): Numbers {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return { random, below, between: ({ from, to }) => from + below(to - from) };
}

export function isOneOf<K extends FaultKind>(kinds: readonly K[], kind: FaultKind): kind is K {
  return (kinds as readonly FaultKind[]).includes(kind);
}
