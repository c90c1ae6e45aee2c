/** When the clock fires automations next, as an operation over both of their shapes. */
import type { Access } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import type { Automations } from '../native/automations.ts';
import type { Engine } from './engine.ts';

const DEFAULT_COUNT = 5;

export class Schedule {
  readonly #engine: Pick<Engine, 'find' | 'nextFireDates'>;
  readonly #natives: Pick<Automations, 'nextFireDates'>;
  readonly #access: Access;

  /** @param parts.natives know better than their triggers alone: on which days, and whether there is a second time. */
  constructor(parts: {
    engine: Pick<Engine, 'find' | 'nextFireDates'>;
    natives: Pick<Automations, 'nextFireDates'>;
    access: Access;
  }) {
    this.#engine = parts.engine;
    this.#natives = parts.natives;
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
    const { id, kind } = this.#access.authorizeIn(caller, 'view', program, 'automation_not_found');
    if (kind === 'native') return this.#natives.nextFireDates(caller, id, count);
    return this.#engine.nextFireDates(id, count);
  }
}
