/**
 * Lamps that follow the day by themselves: the relay writes the schedule of a day into them, and they go on while the
 * relay is off. It renews schedules, replaces them when settings change, and removes them. A lamp that refuses is left
 * to the relay.
 */
import type { AccessoryDriver, FailureReason } from '../../home/accessory-driver.ts';
import type { Lamp, LampTransitions } from '../../home/adaptive-lighting/lamp.ts';
import { encodeRemoval, encodeSchedule } from '../../home/adaptive-lighting/transitions.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { MINUTE_MS } from '../../home/schedule/wall-time.ts';
import { messageOf } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import type { AdaptiveSettings } from './adaptive-settings.ts';
import type { LampColours } from './lamp-colours.ts';
import { nextStep } from './lamp-schedule.ts';
import type { LampChanges } from './records.ts';

/** How long a lamp is left alone after it did not answer. */
const RETRY_MS = 5 * MINUTE_MS;
/** Why a lamp may take the same schedule later. */
const FOR_A_WHILE: ReadonlySet<FailureReason> = new Set(['unreachable', 'busy']);
/** A lamp shows within this time that it lost its schedule. */
const SHOWN_MS = MINUTE_MS;

/** What is known of a lamp's schedule. Memory only. */
interface Progress {
  /** The day for which it was written; `null`: not since the start of the relay. */
  day: string | null;
  isWriting: boolean;
  /** Monotonic: until then it may have lost its schedule without anyone setting its colour. */
  lostUntil: number;
  hasRun: boolean;
  /** It does not take schedules. */
  refused: boolean;
  /** Monotonic. */
  retryAt: number;
}

interface LampSchedulesDeps extends HomeDeps<'state' | 'clock' | 'logger'> {
  readonly settings: AdaptiveSettings;
  readonly colours: LampColours;
  readonly driver: Pick<AccessoryDriver, 'write'>;
  /** Saves what is stored of a lamp. */
  change(lamp: Lamp, changes: LampChanges): void;
  /** Begins a round soon: what is wanted may have changed during a write. */
  again(): void;
  /** Someone set the colour of a lamp. */
  pause(lamp: Lamp): void;
}

interface Order {
  readonly lamp: Lamp;
  readonly transitions: LampTransitions;
  /** `null`: remove it. */
  readonly startAt: number | null;
}

export class LampSchedules {
  readonly #deps: LampSchedulesDeps;
  readonly #throttle: LogThrottle;
  readonly #progress = new Map<string, Progress>();

  constructor(deps: LampSchedulesDeps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
  }

  /** Whether the lamp follows the day by itself. The relay does not set its colour then. */
  runs(lamp: Lamp): boolean {
    return lamp.transitions !== null && !this.#of(lamp).refused;
  }

  /** The lamp went away or came back, or we set its colour: it may have lost its schedule. */
  mayHaveLost(lamp: Lamp): void {
    this.#of(lamp).lostUntil = this.#deps.clock.monotonic() + SHOWN_MS;
  }

  forget(accessoryId: string): void {
    for (const key of this.#progress.keys()) if (key.startsWith(`${accessoryId} `)) this.#progress.delete(key);
  }

  /** Does what is due for these lamps: all of it in one driver write. */
  round(lamps: readonly Lamp[]): void {
    const orders = lamps.flatMap((lamp) => this.#orderFor(lamp) ?? []);
    if (orders.length > 0) void this.#write(orders);
  }

  #orderFor(lamp: Lamp): Order | undefined {
    const { settings, colours, state, clock } = this.#deps;
    const { transitions, accessory, power } = lamp;
    const progress = this.#of(lamp);
    if (!transitions || progress.isWriting || clock.monotonic() < progress.retryAt) return undefined;
    if (!state.isConnected(accessory.homeId) || !state.isAnswering(accessory.id)) return undefined;
    const { scheduleAt } = settings.ofLamp(lamp);
    const now = clock.now();
    const activeCount = typeof transitions.count.value === 'number' ? transitions.count.value : null;
    if (activeCount !== null && activeCount > 0) progress.hasRun = true;
    const step = nextStep({
      isWanted: settings.isFollowing(lamp) && !progress.refused,
      isOn: power === undefined || Boolean(power.value),
      scheduleAt,
      isCurrent: progress.day === colours.dayOf(lamp),
      activeCount,
      mayHaveLost: clock.monotonic() < progress.lostUntil,
      hasRun: progress.hasRun,
      now,
    });
    if (step === 'forget') this.#deps.change(lamp, { scheduleAt: null });
    if (step === 'pause') {
      this.#deps.change(lamp, { scheduleAt: null });
      this.#deps.pause(lamp);
    }
    if (step === 'write') return { lamp, transitions, startAt: now };
    return step === 'remove' ? { lamp, transitions, startAt: null } : undefined;
  }

  async #write(orders: readonly Order[]): Promise<void> {
    const writes = orders.map(({ lamp, transitions, startAt }) => ({
      address: lamp.accessory.address,
      iid: transitions.control.iid,
      value: startAt === null ? encodeRemoval(lamp.temperature.iid) : this.#scheduleOf(lamp, transitions, startAt),
    }));
    for (const { lamp } of orders) this.#of(lamp).isWriting = true;
    try {
      const outcomes = await this.#deps.driver.write(writes);
      for (const [index, order] of orders.entries()) {
        const outcome = outcomes[index];
        this.#settle(order, outcome?.ok === true, outcome?.ok === false && FOR_A_WHILE.has(outcome.reason));
      }
    } catch (error) {
      for (const order of orders) this.#settle(order, false, true);
      this.#throttle.once('write', () =>
        this.#deps.logger.error({ error: messageOf(error) }, 'Could not write the schedules of lamps'),
      );
    }
  }

  #scheduleOf(lamp: Lamp, { brightness }: LampTransitions, startAt: number): string {
    const { colours } = this.#deps;
    this.#of(lamp).day = colours.dayOf(lamp);
    return encodeSchedule({
      id: newId(),
      startAt,
      temperatureIid: lamp.temperature.iid,
      brightnessIid: brightness.iid,
      colourAt: (atMs) => colours.at(lamp, atMs),
    });
  }

  /** @param isForAWhile it may take the same later; a lamp that refuses a schedule takes none. */
  #settle({ lamp, startAt }: Order, ok: boolean, isForAWhile: boolean): void {
    const progress = this.#of(lamp);
    progress.isWriting = false;
    progress.hasRun = false;
    if (ok) {
      progress.lostUntil = 0;
      this.#deps.change(lamp, { scheduleAt: startAt });
      this.#deps.again();
      return;
    }
    progress.day = null;
    progress.retryAt = this.#deps.clock.monotonic() + RETRY_MS;
    if (isForAWhile || startAt === null) return;
    progress.refused = true;
    this.#deps.logger.warn({ accessory: lamp.accessory.name }, 'A lamp takes no schedule; the relay sets its colour');
  }

  #of({ accessory, service }: Lamp): Progress {
    const key = `${accessory.id} ${service.iid}`;
    let progress = this.#progress.get(key);
    if (!progress) {
      progress = { day: null, isWriting: false, lostUntil: 0, hasRun: false, refused: false, retryAt: 0 };
      this.#progress.set(key, progress);
    }
    return progress;
  }
}
