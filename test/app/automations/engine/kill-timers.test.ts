/** Virtual timers that end while the process is killed: what their end begins is neither lost nor done twice. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AutomationHome, createAutomationHome } from '../../../support/automation-home.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { killAt } from './kill-at.ts';

let directory: TempDirectory;
let home: AutomationHome;

beforeEach(() => {
  directory = createTempDirectory('kill-timers');
  home = createAutomationHome({ path: directory.file('relay.db') });
});
afterEach(() => {
  if (home.database.open) home.kill();
  directory.remove();
});

function reopen(downMs: number): void {
  const at = home.clock.now() + downMs;
  if (home.database.open) home.kill();
  home = createAutomationHome({ path: directory.file('relay.db'), clock: new TestClock(at) });
}

function make(name: string, type: string): string {
  return home.virtuals.create(systemCaller, { homeId: home.home.id, name, type }).id;
}

const increment = (accessoryId: string) => ({ type: 'virtual', accessoryId, operation: 'increment' });
const countOf = (accessoryId: string) =>
  home.control.getCharacteristic(systemCaller, { accessoryId, characteristicType: 'virtual_count' }).value;

/** Each commit from the timer's end on, and a few more than there are. */
const DEATHS = [1, 2, 3, 4, 5].flatMap((commit) => [true, false].map((before) => ({ commit, before })));

describe('what the end of a virtual timer begins', () => {
  it.each(DEATHS)(
    'is done once where the process is killed around commit $commit (before it: $before)',
    async (death) => {
      const [counter, timer] = [make('Counter', 'counter'), make('Timer', 'timer')];
      const flows = [
        { triggers: [{ type: 'event', eventType: 'timer.finished', eventData: { accessoryId: timer } }] },
        { triggers: [{ type: 'state', accessoryId: timer, characteristicType: 'virtual_timer', to: 'idle' }] },
      ].map((trigger) => home.saveFlow({ ...trigger, actions: [increment(counter)] }));
      home.virtuals.operate(systemCaller, timer, 'start', 60);
      await home.clock.advance(59_000);
      killAt(home.database, death.commit, death.before);
      await home.clock.advance(2_000);
      reopen(1_000);
      await home.clock.advance(2_000);
      expect(countOf(counter)).toBe(flows.length);
      reopen(1_000);
      await home.clock.advance(2_000);
      expect([countOf(counter), home.database.prepare('SELECT id FROM runs').all()]).toEqual([flows.length, []]);
    },
  );

  it('is done at once on a disk that fails, and the timer’s end is stored once it works again', async () => {
    const [counter, timer] = [make('Counter', 'counter'), make('Timer', 'timer')];
    home.saveFlow({
      triggers: [{ type: 'event', eventType: 'timer.finished' }],
      actions: [{ type: 'variables', variables: { done: true } }],
    });
    home.virtuals.operate(systemCaller, timer, 'start', 60);
    await home.clock.advance(59_000);
    home.database.pragma('query_only = ON');
    await home.clock.advance(2_000);
    const [flow] = home.flows.list(systemCaller);
    expect(home.tracesOf(flow?.id ?? '')).toMatchObject([{ status: 'success' }]);
    home.database.pragma('query_only = OFF');
    await home.clock.advance(6_000);
    reopen(1_000);
    await home.clock.advance(2_000);
    expect(home.virtuals.describe(home.state.accessory(timer) as never)?.timer?.status).toBe('idle');
    expect(home.engine.runsOf(flow?.id ?? '')).toEqual([]);
    expect(countOf(counter)).toBe(0);
  });
});

describe('what one automation triggers in another', () => {
  const links = ['event', 'trigger', 'virtual'] as const;
  const deaths = links.flatMap((link) => DEATHS.map((death) => ({ link, ...death })));

  it.each(deaths)(
    'by $link is done once where the process is killed around commit $commit (before it: $before)',
    async ({ link, ...death }) => {
      const [counter, button] = [make('Counter', 'counter'), make('Button', 'switch')];
      const second = home.saveFlow({
        triggers: [
          { type: 'event', eventType: 'go' },
          { type: 'state', accessoryId: button, characteristicType: 'on', to: true },
        ],
        actions: [increment(counter)],
      });
      const sets = {
        event: { type: 'fire_event', eventType: 'go' },
        trigger: { type: 'toggle_automation', automationId: second.id, action: 'trigger' },
        virtual: { type: 'virtual', accessoryId: button, operation: 'turn_on' },
      };
      const first = home.saveFlow({ actions: [{ type: 'delay', duration: { seconds: 5 } }, sets[link]] });
      home.run(first.id);
      await home.clock.advance(4_000);
      killAt(home.database, death.commit, death.before);
      await home.clock.advance(2_000);
      reopen(1_000);
      await home.clock.advance(2_000);
      reopen(1_000);
      await home.clock.advance(2_000);
      expect([countOf(counter), home.database.prepare('SELECT id FROM runs').all()]).toEqual([1, []]);
    },
  );
});
