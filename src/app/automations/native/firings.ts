/**
 * What becomes of a native automation when it fires: when it last did is remembered, and what fires once is over. The latter is
 * stored in the very tick in which its run begins, so that nothing does it again after a kill.
 */
import type { HomeEvents } from '../../../home/events.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { BlockedReason } from '../program.ts';
import { type Automation, firesOnce } from './automation.ts';
import type { AutomationStore } from './automation-store.ts';
import type { ProgramEngine } from './engine-port.ts';

/** When something fired last is worth one write a second, however much fires. */
const WRITE_EVERY_MS = 1000;

/** A full disk stays full for a while. */
const RETRY_AFTER_MS = 60_000;

interface FiringsParts {
  readonly store: Pick<AutomationStore, 'saveFirings'>;
  readonly engine: Pick<ProgramEngine, 'onTriggered'>;
  readonly bus: EventBus<HomeEvents>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly find: (id: string) => Automation | undefined;
  /** It fired, and goes on. */
  readonly fired: (automation: Automation) => void;
  /** It fired, and is disabled from now on. */
  readonly ended: (automation: Automation) => void;
}

export class Firings {
  readonly #parts: FiringsParts;
  readonly #unsaved = new Set<string>();
  #cancelWrite: (() => void) | undefined;
  #isFailing = false;

  constructor(parts: FiringsParts) {
    this.#parts = parts;
  }

  /** @returns the function that ends it, and writes what is still to be written */
  start(): () => void {
    const { bus, engine } = this.#parts;
    // Not when its trigger fires but when its conditions have been found to hold: what did nothing is not over.
    const stopHearing = bus.on('automation.fired', ({ automationId, at }) => this.#ran(automationId, at));
    const stopCounting = engine.onTriggered((program, at, { blockedReason }) =>
      this.#blocked(program.id, at, blockedReason),
    );
    return () => {
      stopHearing();
      stopCounting();
      this.#write();
      this.#stopWriting();
    };
  }

  #ran(id: string, at: number): void {
    const automation = this.#parts.find(id);
    if (!automation) return;
    if (automation.enabled && firesOnce(automation.trigger)) this.#end({ ...automation, lastFireAt: at });
    else this.#remember({ ...automation, lastFireAt: at });
  }

  #blocked(id: string, at: number, reason: BlockedReason | null): void {
    const automation = reason === null ? undefined : this.#parts.find(id);
    if (!automation) return;
    const { trigger } = automation;
    // It is active already and has not come to its end: it fired all the same.
    if (reason === 'mode_single' && !firesOnce(trigger)) this.#remember({ ...automation, lastFireAt: at });
    // Its one moment was missed, and there will be no other.
    if (reason === 'missed' && trigger.type === 'timer' && trigger.recurrence === null) this.#end(automation);
  }

  #end(automation: Automation): void {
    const ended = { ...automation, enabled: false };
    // Though it may not be written: this process does not do it twice.
    this.#parts.ended(ended);
    this.#unsaved.add(ended.id);
    this.#write();
  }

  #remember(automation: Automation): void {
    this.#parts.fired(automation);
    this.#unsaved.add(automation.id);
    this.#writeAfter(WRITE_EVERY_MS);
  }

  #writeAfter(delayMs: number): void {
    this.#cancelWrite ??= this.#parts.clock.after(delayMs, () => this.#write());
  }

  /** What can't be written is kept for the next time, and complained of once. */
  #write(): void {
    this.#stopWriting();
    const fired = [...this.#unsaved].flatMap((id) => this.#parts.find(id) ?? []);
    try {
      if (fired.length > 0) this.#parts.store.saveFirings(fired);
      this.#unsaved.clear();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) {
        this.#parts.logger.error({ error: messageOf(error) }, 'What native automations did can’t be stored now');
      }
      this.#isFailing = true;
      this.#writeAfter(RETRY_AFTER_MS);
    }
  }

  #stopWriting(): void {
    this.#cancelWrite?.();
    this.#cancelWrite = undefined;
  }
}
