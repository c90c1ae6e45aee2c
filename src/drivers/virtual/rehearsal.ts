/** Virtual accessories of a dry run: the same kinds as the driver's, without storage. */
import type { DriverWrite, WriteOutcome } from '../../home/accessory-driver.ts';
import type { AccessoryAddress, CharacteristicValue, VirtualConfig } from '../../home/model.ts';
import type { TimerState } from '../../home/virtual-driver.ts';
import type {
  RehearsedVirtual,
  RehearseVirtuals,
  VirtualRehearsal,
  VirtualRehearsalDeps,
} from '../../home/virtual-rehearsal.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import { HearthError } from '../../kernel/errors.ts';
import { kindOf } from './kinds/index.ts';
import { type Held, hold } from './kinds/kind.ts';
import { holdRun } from './kinds/timer.ts';
import { finishRun, timerState } from './kinds/timer-run.ts';
import { CHARACTERISTIC_IID } from './stored-virtual.ts';

interface RehearsedAccessory {
  readonly address: AccessoryAddress;
  readonly config: VirtualConfig;
  held: Held;
  /** Cancels the end of the timer's run. */
  cancel: (() => void) | undefined;
}

export const rehearseVirtuals: RehearseVirtuals = (parts) => new Rehearsal(parts);

class Rehearsal implements VirtualRehearsal {
  readonly #timers: VirtualRehearsalDeps['timers'];
  readonly #report: VirtualRehearsalDeps['report'];
  /** By source. */
  readonly #items = new Map<string, RehearsedAccessory>();

  constructor({ accessories, timers, report }: VirtualRehearsalDeps) {
    this.#timers = timers;
    this.#report = report;
    for (const accessory of accessories) {
      const { address, config } = accessory;
      const item: RehearsedAccessory = { address, config, held: heldOf(accessory), cancel: undefined };
      this.#items.set(address.source, item);
      this.#watch(item);
    }
  }

  async write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    return writes.map(({ address, value }) => {
      const item = this.#items.get(address.source);
      if (!item) return { ok: false, reason: 'not_found', detail: 'There is no such virtual accessory.' };
      if (!item.config.controllable) return { ok: false, reason: 'read_only', detail: 'It is read-only.' };
      this.set(address, value);
      return { ok: true, value: item.held.value };
    });
  }

  set({ source }: AccessoryAddress, value: CharacteristicValue): void {
    const item = this.#items.get(source);
    if (!item) return;
    this.#keep(item, kindOf(item.config.virtualType).write(item.config, item.held, value, this.#timers.now()), 'write');
  }

  operate({ source }: AccessoryAddress, name: string, input?: unknown): CharacteristicValue {
    const item = this.#items.get(source);
    if (!item) throw new HearthError('not_found', 'Not found');
    const kind = kindOf(item.config.virtualType);
    const operation = kind.operations.find((one) => one === name.trim().toLowerCase());
    if (operation === undefined) {
      const known = kind.operations.join(', ');
      const sentence = `Unknown operation "${shorten(name)}": ${kind.noun} takes ${known}.`;
      throw new HearthError('invalid_value', sentence, { field: 'operation' });
    }
    const now = this.#timers.now();
    this.#keep(item, kind.operate(item.config, { held: item.held, operation, input, now }), 'write');
    return item.held.value;
  }

  timerOf({ source }: AccessoryAddress): TimerState | undefined {
    const item = this.#items.get(source);
    if (item?.config.virtualType !== 'timer') return undefined;
    return timerState(item.held.run, item.config.durationMs, this.#timers.now());
  }

  #keep(item: RehearsedAccessory, held: Held, via: 'write' | 'device'): void {
    const before = item.held;
    item.held = held;
    if (held.run !== before.run) this.#watch(item);
    if (held.value !== before.value) this.#report(item.address, CHARACTERISTIC_IID, held.value, via);
  }

  #watch(item: RehearsedAccessory): void {
    item.cancel?.();
    const { run } = item.held;
    const endsAt = run?.endsAt ?? null;
    if (run === null || endsAt === null) {
      item.cancel = undefined;
      return;
    }
    item.cancel = this.#timers.set(endsAt, { due: () => this.#keep(item, holdRun(finishRun(run, endsAt)), 'device') });
  }
}

function heldOf({ config, value, timer }: RehearsedVirtual): Held {
  if (config.virtualType !== 'timer') return hold(value ?? kindOf(config.virtualType).initialValue(config));
  if (!timer) return hold('idle');
  const { status, durationMs, startedAt, endsAt, finishedAt } = timer;
  // For a running timer, the remaining time follows from its end.
  const remainingMs = status === 'paused' ? timer.remainingMs : null;
  return holdRun({ durationMs, startedAt, endsAt, remainingMs, finishedAt });
}
