import type { ActionPorts, RunContext } from '../actions/action-kind.ts';

/** A run as its actions see it, with ports that are bound to the run: the ports' methods do not receive the actor. */
export function withPorts(run: RunContext, ports: ActionPorts): RunContext {
  return {
    ports,
    runId: run.runId,
    program: run.program,
    caller: run.caller,
    cause: run.cause,
    get scope() {
      return run.scope;
    },
    get signal() {
      return run.signal;
    },
    now: () => run.now(),
    render: (value) => run.render(value),
    evaluate: (expression) => run.evaluate(expression),
    check: (conditions, repeat) => run.check(conditions, repeat),
    decide: (name, make) => run.decide(name, make),
    sequence: (actions, branch, options) => run.sequence(actions, branch, options),
    delay: (ms) => run.delay(ms),
    waitFor: (what, timeoutMs) => run.waitFor(what, timeoutMs),
    setVariables: (variables) => run.setVariables(variables),
    stop: (end) => run.stop(end),
    allActions: () => run.allActions(),
  };
}
