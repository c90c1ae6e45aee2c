/**
 * What `kill-process.test.ts` kills: a home on the real clock, with a hundred things under way in its first life, each
 * of which counts once when it is due. It reports the progress every tenth of a second.
 */
import { systemClock } from '../../../../src/kernel/clock.ts';
import { createAutomationHome } from '../../../support/automation-home.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller } from '../../../support/test-home.ts';

export interface Report {
  readonly counts: readonly number[];
  /** Runs that are under way. */
  readonly running: number;
}

const REPORT_EVERY_MS = 100;
/** The first thing is due so long after the first life began. */
const HEAD_START_S = 4;

class RealClock extends TestClock {
  override now = systemClock.now;
  override monotonic = systemClock.monotonic;
  override after = systemClock.after;
}

const [path = '', things = '100', spreadS = '30'] = process.argv.slice(2);
const home = createAutomationHome({ path, clock: new RealClock() });
const countOf = (accessoryId: string): number =>
  Number(home.control.getCharacteristic(systemCaller, { accessoryId, characteristicType: 'virtual_count' }).value ?? 0);

if (home.flows.list(systemCaller).length === 0) begin();
const counters = home.virtuals
  .list(systemCaller, home.home.id)
  .filter(({ name }) => name.startsWith('Counter'))
  .map(({ id }) => id);

setInterval(() => {
  const running = home.flows.list(systemCaller).flatMap(({ id }) => home.engine.runsOf(id)).length;
  process.send?.({ counts: counters.map(countOf), running } satisfies Report);
}, REPORT_EVERY_MS);

function begin(): void {
  const { id: homeId } = home.home;
  home.homes.update(systemCaller, homeId, { timeZone: 'UTC' });
  const make = (name: string, type: string) => home.virtuals.create(systemCaller, { homeId, name, type }).id;
  for (let n = 0; n < Number(things); n += 1) {
    const seconds = HEAD_START_S + Math.floor((n * Number(spreadS)) / Number(things));
    const count = { type: 'virtual', accessoryId: make(`Counter ${n}`, 'counter'), operation: 'increment' };
    const kind = n % 4;
    if (kind === 0) home.run(home.saveFlow({ actions: [{ type: 'delay', duration: { seconds } }, count] }).id);
    if (kind === 1) {
      const wait = {
        type: 'wait_for_trigger',
        triggers: [{ type: 'event', eventType: 'never' }],
        timeout: { seconds },
      };
      home.run(home.saveFlow({ actions: [wait, count] }).id);
    }
    if (kind === 2) {
      const accessoryId = make(`Switch ${n}`, 'switch');
      const held = { type: 'state', accessoryId, characteristicType: 'on', to: true, for: { seconds } };
      home.saveFlow({ triggers: [held], actions: [count] });
      home.virtuals.operate(systemCaller, accessoryId, 'turn_on');
    }
    if (kind === 3) {
      const at = new Date(Date.now() + seconds * 1_000).toISOString().slice(11, 19);
      home.saveFlow({ triggers: [{ type: 'time', at }], actions: [count] });
    }
  }
}
