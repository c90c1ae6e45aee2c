/**
 * Handles firings of native automations: stores the time of the last firing, and disables an automation that fires
 * once. The disabling is stored in the same tick in which its run begins, so that a kill does not cause a second run.
 */
import type { BlockedReason } from '../../../contract/automation-runs.ts';
import type { HomeDeps } from '../../../home/home-deps.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { type Automation, firesOnce } from './automation.ts';
import type { AutomationStore } from './automation-store.ts';
import type { ProgramEngine } from './engine-port.ts';

/** The time of the last firing is written at most once a second, regardless of the number of firings. */
const WRITE_EVERY_MS = 1000;

/** A full disk stays full for a while. */
const RETRY_AFTER_MS = 60_000;

interface FiringsDeps extends HomeDeps<'bus' | 'clock' | 'logger'> {
  readonly store: Pick<AutomationStore, 'saveFirings'>;
  readonly engine: Pick<ProgramEngine, 'onTriggered'>;
  readonly find: (id: string) => Automation | undefined;
  /** It fired, and stays enabled. */
  readonly fired: (automation: Automation) => void;
  /** It fired, and is disabled from now on. */
  readonly ended: (automation: Automation) => void;
}

export class Firings {
  readonly #deps: FiringsDeps;
  readonly #unsaved = new Set<string>();
  #cancelWrite: (() => void) | undefined;
  #isFailing = false;

  constructor(deps: FiringsDeps) {
    this.#deps = deps;
  }

  /** @returns the function that stops it and writes pending changes */
  start(): () => void {
    const { bus, engine } = this.#deps;
    // Counts when the conditions hold, not when the trigger fires: an automation that did nothing has not ended.
    const unsubscribe = bus.on('automation.fired', ({ automationId, at }) => this.#ran(automationId, at));
    const stopCounting = engine.onTriggered((program, at, { blockedReason }) =>
      this.#blocked(program.id, at, blockedReason),
    );
    return () => {
      unsubscribe();
      stopCounting();
      this.#write();
      this.#stopWriting();
    };
  }

  #ran(id: string, at: number): void {
    const automation = this.#deps.find(id);
    if (!automation) return;
    if (automation.enabled && firesOnce(automation.trigger)) this.#end({ ...automation, lastFireAt: at });
    else this.#remember({ ...automation, lastFireAt: at });
  }

  #blocked(id: string, at: number, reason: BlockedReason | null): void {
    const automation = reason === null ? undefined : this.#deps.find(id);
    if (!automation) return;
    const { trigger } = automation;
    // It is still active: the firing counts all the same.
    if (reason === 'mode_single' && !firesOnce(trigger)) this.#remember({ ...automation, lastFireAt: at });
    // It missed its only firing time.
    if (reason === 'missed' && trigger.type === 'timer' && trigger.recurrence === null) this.#end(automation);
  }

  #end(automation: Automation): void {
    const ended = { ...automation, enabled: false };
    // Even if the write fails, this process does not run it twice.
    this.#deps.ended(ended);
    this.#unsaved.add(ended.id);
    this.#write();
  }

  #remember(automation: Automation): void {
    this.#deps.fired(automation);
    this.#unsaved.add(automation.id);
    this.#writeAfter(WRITE_EVERY_MS);
  }

  #writeAfter(delayMs: number): void {
    this.#cancelWrite ??= this.#deps.clock.after(delayMs, () => this.#write());
  }

  /** Changes that cannot be written are kept for the next attempt, and logged once. */
  #write(): void {
    this.#stopWriting();
    const fired = [...this.#unsaved].flatMap((id) => this.#deps.find(id) ?? []);
    try {
      if (fired.length > 0) this.#deps.store.saveFirings(fired);
      this.#unsaved.clear();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) {
        this.#deps.logger.error({ error: messageOf(error) }, 'Could not save the runs of native automations');
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
