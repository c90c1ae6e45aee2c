/**
 * Watches the triggers of enabled automations. A trigger's stored data (a hold, a slot) has a key made of the
 * automation, the trigger id and the trigger definition. A restart finds it again; a changed trigger never does.
 */
import { createHash } from 'node:crypto';
import { messageOf } from '../../../kernel/errors.ts';
import { TaskSlices } from '../../../kernel/slices.ts';
import type { Program } from '../program.ts';
import type { Cause, TriggerData } from '../scope.ts';
import { timestampOf } from '../trigger-time.ts';
import type { Trigger } from '../triggers/index.ts';
import type { TriggerDeps, TriggerWatch } from '../triggers/trigger-kind.ts';
import type { Kinds } from './kinds.ts';

/** Characters of a hash. It distinguishes two triggers of one automation that had the same id at different times. */
const HASH_CHARACTERS = 16;

export interface Firing {
  readonly automationId: string;
  readonly trigger: TriggerData;
  readonly cause: Cause | undefined;
}

interface Deps {
  readonly triggerDeps: TriggerDeps;
  readonly kinds: Kinds;
  readonly variablesOf: (automationId: string) => Program['variables'];
  readonly onFired: (firing: Firing) => void;
  readonly onMissed: (automationId: string, trigger: TriggerData) => void;
}

export class Arming {
  readonly #deps: Deps;
  /** By automation, then by key: the function that ends the watch. */
  readonly #watches = new Map<string, Map<string, () => void>>();
  readonly #slices = new TaskSlices();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Watches the automation's current triggers; triggers that did not change are not disturbed. Those that are slow to
   * begin take turns with the event loop, but not `atStart`: then they see the values from before the first change.
   * @returns whether any watch was removed
   */
  arm(program: Program, { atStart = false } = {}): boolean {
    const before = this.#watches.get(program.id) ?? new Map<string, () => void>();
    const wanted = new Map(
      program.enabled ? program.triggers.map((one) => [keyOf(program.id, one), one] as const) : [],
    );
    let dropped = false;
    for (const [key, unwatch] of before) {
      if (wanted.has(key)) continue;
      unwatch();
      before.delete(key);
      this.#deps.triggerDeps.holds.delete(key);
      dropped = true;
    }
    for (const [key, trigger] of wanted) {
      if (!before.has(key)) before.set(key, this.#watchGuarded(program, trigger, key, atStart));
    }
    if (before.size > 0) this.#watches.set(program.id, before);
    else this.#watches.delete(program.id);
    return dropped;
  }

  /** The daemon stops: stored trigger data stays for the next start. */
  stop(): void {
    for (const watches of this.#watches.values()) for (const unwatch of watches.values()) unwatch();
    this.#watches.clear();
  }

  keys(): string[] {
    return [...this.#watches.values()].flatMap((watches) => [...watches.keys()]);
  }

  /** A trigger corrupted on disk does not keep the others from being watched. */
  #watchGuarded(program: Program, trigger: Trigger, key: string, atStart: boolean): () => void {
    try {
      return this.#watch(program, trigger, key, atStart);
    } catch (error) {
      this.#deps.triggerDeps.logger.error(
        { automationId: program.id, name: program.name, trigger: trigger.id, error: messageOf(error) },
        'Could not start a trigger',
      );
      return () => {};
    }
  }

  #watch({ id, homeId }: Program, trigger: Trigger, key: string, atStart: boolean): () => void {
    const { triggerDeps, kinds, variablesOf, onFired, onMissed } = this.#deps;
    const dataOf = (at: number, data: Parameters<TriggerWatch['fire']>[0]): TriggerData => {
      return { id: trigger.id, type: trigger.type, timestamp: timestampOf(at), ...data };
    };
    return kinds.watchTrigger(trigger, {
      key,
      homeId,
      since: triggerDeps.clock.now(),
      triggerDeps,
      ...(!atStart && { begin: (work: () => void) => this.#slices.run(work) }),
      scope: () => ({ trigger: null, variables: variablesOf(id), nodes: {}, repeat: null, wait: null }),
      fire: (data, from) =>
        onFired({
          automationId: id,
          trigger: dataOf(triggerDeps.clock.now(), data),
          cause: from?.cause,
        }),
      missed: (dueAt) => onMissed(id, dataOf(dueAt, {})),
    });
  }
}

function keyOf(automationId: string, trigger: Trigger): string {
  const hash = createHash('sha256').update(JSON.stringify(trigger)).digest('hex').slice(0, HASH_CHARACTERS);
  return `${automationId}/${trigger.id}/${hash}`;
}
