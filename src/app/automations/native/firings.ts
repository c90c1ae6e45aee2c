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

interface FiringsParts {
  readonly store: Pick<AutomationStore, 'setEnabled' | 'setLastFired'>;
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
    // It is active already and has not come to its end: the running one takes note of it.
    if (reason === 'mode_single' && !firesOnce(trigger)) this.#remember({ ...automation, lastFireAt: at });
    // Its one moment was missed, and there will be no other.
    if (reason === 'missed' && trigger.type === 'timer' && trigger.recurrence === null) this.#end(automation);
  }

  #end(automation: Automation): void {
    const ended = { ...automation, enabled: false };
    this.#unsaved.delete(ended.id);
    this.#try(() => this.#parts.store.setEnabled(ended.id, false, ended.lastFireAt));
    // Though it may be enabled on the disk still: this process does not do it twice.
    this.#parts.ended(ended);
  }

  #remember(automation: Automation): void {
    this.#parts.fired(automation);
    this.#unsaved.add(automation.id);
    this.#cancelWrite ??= this.#parts.clock.after(WRITE_EVERY_MS, () => this.#write());
  }

  #write(): void {
    this.#cancelWrite?.();
    this.#cancelWrite = undefined;
    const fired = [...this.#unsaved].flatMap((id) => this.#parts.find(id) ?? []);
    this.#unsaved.clear();
    if (fired.length > 0) this.#try(() => this.#parts.store.setLastFired(fired));
  }

  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#parts.logger.error({ error: messageOf(error) }, 'What native automations did could not be stored');
    }
  }
}
