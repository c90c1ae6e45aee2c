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
  const triggers = Array.from({ length: 40 }, (_, n) => ({
    type: 'template',
    expression: `${HEAVY.slice(2, -2)} == [${n}]`,
  }));
  const flow = {
    name: 'Heavy',
    variables: { list: LIST },
    triggers,
    actions: [{ type: 'variables', variables: { x: 1 } }],
  };

  it('lets everything else have its turn while they begin', async () => {
    const home = createAutomationHome();
    let turn = 0;
    const turns = new Set<number>();
    const watch = home.expressions.watch.bind(home.expressions);
    home.expressions.watch = (...args) => {
      turns.add(turn);
      return watch(...args);
    };
    home.saveFlow(flow);
    for (; turn < 1_000 && turns.size < 4; turn += 1) await comeRound();
    expect(turns.size).toBeGreaterThan(3);
    await home.stop();
  });

  it('begins none of them after it was deleted', async () => {
    const home = createAutomationHome();
    const { id } = home.saveFlow(flow);
    home.flows.delete(systemCaller, id);
    let evaluations = 0;
    const watch = home.expressions.watch.bind(home.expressions);
    home.expressions.watch = (...args) => {
      evaluations += 1;
      return watch(...args);
    };
    for (let turn = 0; turn < 100; turn += 1) await comeRound();
    expect(evaluations).toBe(0);
    await home.stop();
  });
});
