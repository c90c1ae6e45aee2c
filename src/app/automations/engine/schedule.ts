/** When the clock next fires automations, as an operation over both record types. */
import { DEFAULT_FIRE_DATES } from '../../../contract/automation-runs.ts';
import type { Access } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import type { Automations } from '../native/automations.ts';
import type { Engine } from './engine.ts';

export class FiringSchedule {
  readonly #engine: Pick<Engine, 'find' | 'nextFireDates'>;
  readonly #natives: Pick<Automations, 'nextFireDates'>;
  readonly #access: Access;

  /** @param parts.natives native automations add rules to their triggers: the days, and a possible second time. */
  constructor(deps: {
    engine: Pick<Engine, 'find' | 'nextFireDates'>;
    natives: Pick<Automations, 'nextFireDates'>;
    access: Access;
  }) {
    this.#engine = deps.engine;
    this.#natives = deps.natives;
    this.#access = deps.access;
  }

  /**
   * The next firing times of a flow or a native automation, earliest first, in milliseconds since the epoch. None if
   * it is disabled or has no time trigger. Requires view access to its home.
   * @param count at most 100
   * @throws `automation_not_found`
   */
  nextFireDates(caller: Caller, automationId: string, count = DEFAULT_FIRE_DATES): readonly number[] {
    const program = this.#engine.find(automationId.toLowerCase());
    const { id, kind } = this.#access.authorizeIn(caller, 'view', program, 'automation_not_found');
    if (kind === 'native') return this.#natives.nextFireDates(caller, id, count);
    return this.#engine.nextFireDates(id, count);
  }
}
