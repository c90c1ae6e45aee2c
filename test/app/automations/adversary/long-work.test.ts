/** Automations that have much to do at once: the home goes on meanwhile. */
import { setImmediate as comeRound } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAutomationHome } from '../../../support/automation-home.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller } from '../../../support/test-home.ts';

/** Its wall clock stands still; what has passed is what has really passed. */
class PassingClock extends TestClock {
  override monotonic(): number {
    return performance.now();
  }
}

/** About as much as one expression may do. */
const HEAVY = '{{ list.filter(x, list.exists(y, y == -1)) }}';
const LIST = Array.from({ length: 5_000 }, (_, index) => index);

describe('a run of thousands of heavy steps', () => {
  it.each([
    [
      'in rounds',
      { mode: 'count', count: 1_000, sequence: [{ type: 'variables', variables: { x: HEAVY }, onError: 'continue' }] },
    ],
    [
      'in conditions of rounds without actions',
      {
        mode: 'while',
        whileCondition: { type: 'template', expression: 'list.exists(x, x == -1) == false' },
        sequence: [],
      },
    ],
  ])('%s lets everything else have its turn', async (_, repeat) => {
    const home = createAutomationHome({ clock: new PassingClock() });
    const flow = home.saveFlow({ variables: { list: LIST }, actions: [{ type: 'repeat', ...repeat }] });
    home.run(flow.id);
    let turns = 0;
    while (home.engine.runsOf(flow.id).length > 0) {
      await comeRound();
      turns += 1;
    }
    expect(turns).toBeGreaterThan(3);
    await home.stop();
  });
});

describe('an automation with many heavy triggers', () => {
  const COUNT = 20;
  /** Longer than a slice of work. */
  const EVALUATION_MS = 6;
  const triggers = Array.from({ length: COUNT }, (_, n) => ({ type: 'template', expression: `${n} == -1` }));
  const flow = { name: 'Heavy', triggers, actions: [{ type: 'variables', variables: { x: 1 } }] };

  /** A home in which each evaluation takes long, and the turn of the event loop of each. */
  function createSlowHome() {
    const home = createAutomationHome();
    const evaluatedIn: number[] = [];
    let turn = 0;
    const watch = home.expressions.watch.bind(home.expressions);
    home.expressions.watch = (...args) => {
      evaluatedIn.push(turn);
      for (const end = performance.now() + EVALUATION_MS; performance.now() < end; );
      return watch(...args);
    };
    const takeTurns = async (count: number): Promise<void> => {
      for (const end = turn + count; turn < end; turn += 1) await comeRound();
    };
    return { home, evaluatedIn, takeTurns };
  }

  it('lets everything else have its turn while they begin', async () => {
    const { home, evaluatedIn, takeTurns } = createSlowHome();
    home.saveFlow(flow);
    expect(evaluatedIn).toHaveLength(1);
    await takeTurns(2 * COUNT);
    expect(evaluatedIn).toHaveLength(COUNT);
    expect(new Set(evaluatedIn).size).toBeGreaterThan(COUNT / 2);
    await home.stop();
  });

  it('begins none of them after it was deleted', async () => {
    const { home, evaluatedIn, takeTurns } = createSlowHome();
    const { id } = home.saveFlow(flow);
    home.flows.delete(systemCaller, id);
    await takeTurns(2 * COUNT);
    expect(evaluatedIn).toHaveLength(1);
    await home.stop();
  });
});
