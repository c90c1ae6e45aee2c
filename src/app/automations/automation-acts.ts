import type { AutomationControl } from './actions/action-kind.ts';
import type { Engine } from './engine/engine.ts';
import type { Flows } from './flows/flows.ts';
import type { Automations } from './native/automations.ts';
import type { Program } from './program.ts';
import type { Cause } from './scope.ts';

interface Bound {
  readonly engine: Engine;
  readonly automations: Automations;
  readonly flows: Flows;
}

/** What actions do with other automations. Call `bind` once all of them are built, before the engine starts. */
export class AutomationActs implements AutomationControl {
  #bound: Bound | undefined;

  bind(bound: Bound): void {
    this.#bound = bound;
  }

  find(automationId: string): Program | undefined {
    return this.#all.engine.find(automationId);
  }

  setEnabled(automationId: string, enabled: boolean): void {
    const { engine, automations, flows } = this.#all;
    const program = engine.find(automationId);
    if (program?.kind === 'native') automations.setEnabledBy(program.homeId, automationId, enabled);
    else flows.setEnabledBy(program?.homeId ?? '', automationId, enabled);
  }

  trigger(automationId: string, cause: Cause): ReturnType<AutomationControl['trigger']> {
    return this.#all.engine.trigger(automationId, { cause });
  }

  mayReachOut(automationId: string): boolean {
    return this.#all.flows.mayReachOut(automationId);
  }

  get #all(): Bound {
    if (!this.#bound) throw new Error('The automations are not built yet');
    return this.#bound;
  }
}
