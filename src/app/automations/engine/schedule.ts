/** When the clock fires automations next, as an operation over both of their shapes. */
import type { Access } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import type { Engine } from './engine.ts';

const DEFAULT_COUNT = 5;

export class Schedule {
  readonly #engine: Pick<Engine, 'find' | 'nextFireDates'>;
  readonly #access: Access;

  constructor(parts: { engine: Pick<Engine, 'find' | 'nextFireDates'>; access: Access }) {
    this.#engine = parts.engine;
    this.#access = parts.access;
  }

  /**
   * The next moments of a flow or a native automation, earliest first, in milliseconds since the epoch; none while it is disabled
   * and where nothing of it goes by the clock. For whoever may view its home.
   * @param count at most 100
   * @throws `automation_not_found`
   */
  nextFireDates(caller: Caller, automationId: string, count = DEFAULT_COUNT): readonly number[] {
    const program = this.#engine.find(automationId.toLowerCase());
    const { id } = this.#access.authorizeIn(caller, 'view', program, 'automation_not_found');
    return this.#engine.nextFireDates(id, count);
  }
}
