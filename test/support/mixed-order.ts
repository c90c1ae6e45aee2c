/**
 * The order in which files of tests begin: those of all projects in turns. At any time some wait for devices, clocks
 * and browsers while others compute; one project after the other would leave idle now the cores, now the workers.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What waits for a minute of real time, with next to nothing to do: no two of them are to begin together, none last.
 */
const WAITING = [
  'drivers/hap/session/accessory-session',
  'drivers/hap/session/session-silence',
  'drivers/matter/restarts',
  'e2e/automation-faults',
  'e2e/automation-minute',
  'e2e/footprint-writes',
  'e2e/home-faults',
  'e2e/security-phone-home',
  'e2e/silence',
].map((name) => `/test/${name}.test.ts`);
/** The share of the run after which none of these begins. */
const WAITING_UNTIL = 0.8;

export class MixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const lanes = new Map<string, TestSpecification[]>();
    // Within a project: those that failed or took long last time, else the larger ones.
    for (const file of await super.sort(files)) {
      const isWaiting = WAITING.some((end) => file.moduleId.endsWith(end));
      const name = isWaiting ? 'waiting' : file.project.name;
      lanes.set(name, [...(lanes.get(name) ?? []), file]);
    }
    return [...lanes]
      .flatMap(([name, lane]) => {
        const share = (name === 'waiting' ? WAITING_UNTIL : 1) / lane.length;
        return lane.map((file, index) => ({ file, place: index * share }));
      })
      .sort((one, other) => one.place - other.place)
      .map(({ file }) => file);
  }
}
