/**
 * A test home whose automations run: the engine with everything it watches and acts with, over real stores, virtual and
 * fake accessories, and a clock that the test moves. Closed by `close` as the daemon would stop, or by `kill` as a kill
 * would leave it; opened again with the same `path`.
 */
import type { Flow } from '../../src/app/automations/flow.ts';
import type { Admission, Trace } from '../../src/app/automations/program.ts';
import type { Json } from '../../src/kernel/json.ts';
import { createTestHome, systemCaller, type TestHomeOptions } from './test-home.ts';

export interface AutomationHomeOptions extends TestHomeOptions {
  /** Called before the engine starts: what is attached here is known when the first triggers are watched. */
  readonly prepare?: (home: ReturnType<typeof createTestHome>) => void;
}

export type AutomationHome = ReturnType<typeof createAutomationHome>;

export function createAutomationHome(options: AutomationHomeOptions = {}) {
  const base = createTestHome({ ...options, virtualsLater: true });
  options.prepare?.(base);
  const { startables, engine, automationEvents, expressions } = base.automation;
  for (const part of Object.values(startables)) void part.start();
  base.virtualDriver.start();

  return {
    ...base,
    engine,
    automationEvents,
    expressions,

    /** Saves a flow of the first home; what is left out is nothing. */
    saveFlow(data: Record<string, unknown>): Flow {
      return base.flows.save(systemCaller, {
        homeId: base.home.id,
        data: { name: `Flow ${base.flows.list(systemCaller).length + 1}`, triggers: [], actions: [], ...data },
      });
    },

    run(flowId: string, variables?: Record<string, Json>): Admission {
      return base.flows.run(systemCaller, flowId, variables ? { variables } : {});
    },

    /** The newest first. */
    tracesOf(automationId: string): readonly Trace[] {
      return base.traces.list(systemCaller, automationId, 100);
    },

    /** Lets everything come to where it waits for time or for something to happen. */
    async settle(): Promise<void> {
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },

    /** Stops as the daemon would. */
    async stop(): Promise<void> {
      const stops = Object.values(startables)
        .reverse()
        .map((part) => () => part.stop());
      for (const stop of stops) {
        const stopped = stop();
        // Steps that are under way have some seconds of the test's clock.
        if (stopped instanceof Promise) await Promise.race([stopped, base.clock.advance(3_000).then(() => stopped)]);
      }
      base.close();
    },

    /** As SIGKILL: nothing more is written. Timers of the clock that is thrown away never come. */
    kill(): void {
      base.database.close();
    },
  };
}
