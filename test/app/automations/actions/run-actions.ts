import type { Trace, TraceStep } from '../../../../src/app/automations/program.ts';
import type { Accessory } from '../../../../src/home/model.ts';
import type { Json, JsonObject } from '../../../../src/kernel/json.ts';
import { type AutomationHomeOptions, createAutomationHome } from '../../../support/automation-home.ts';
import { systemCaller } from '../../../support/test-home.ts';

export interface ActionsRun {
  readonly flowId: string;
  readonly trace: Trace;
  /** The last step of the action of that id. @throws where there is none */
  step(id: string): TraceStep;
  output(id: string): Json;
}

export function createActionHome(options: AutomationHomeOptions = {}) {
  const home = createAutomationHome({ sample: true, ...options });

  async function runFlow(flowId: string, variables?: Record<string, Json>): Promise<ActionsRun> {
    home.run(flowId, variables);
    await home.settle();
    return latest(flowId);
  }

  function latest(flowId: string): ActionsRun {
    const [trace] = home.tracesOf(flowId);
    if (!trace) throw new Error('The flow has no trace');
    const step = (id: string): TraceStep => {
      const found = trace.steps.findLast(({ type, nodeId }) => type === 'action' && nodeId === id);
      if (!found) throw new Error(`There is no step ${id}; the run ended with ${trace.status}: ${trace.error}`);
      return found;
    };
    return { flowId, trace, step, output: (id) => step(id).output };
  }

  return {
    ...home,
    runFlow,
    latest,
    /** Saves a flow of these actions, runs it once and lets it come to where it waits. */
    async runActions(actions: readonly JsonObject[], flow: JsonObject = {}, variables?: Record<string, Json>) {
      return runFlow(home.saveFlow({ ...flow, actions }).id, variables);
    },
    virtual(name: string, type: string, rest: JsonObject = {}): Accessory {
      return home.virtuals.create(systemCaller, { homeId: home.home.id, name, type, ...rest });
    },
    /** What its first characteristic of that type has now. */
    shown(name: string, type: string): Json {
      const characteristics = home.named(name).services.flatMap((service) => service.characteristics);
      return characteristics.find((one) => one.type === type)?.value ?? null;
    },
  };
}
