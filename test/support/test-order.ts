/**
 * The order in which files of tests begin: those that wait, those with browsers, with relays and devices, and those
 * that only compute, in turns. At any time some wait while others compute; one kind after the other would leave idle
 * now the cores, now the workers.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What waits for half a minute of real time or more, with next to nothing to do. */
const WAITING = [
  'drivers/hap/session/accessory-session',
  'drivers/hap/session/session-silence',
  'drivers/matter/restarts',
  'e2e/automation-faults',
  'e2e/automation-minute',
  'e2e/footprint-writes',
  'e2e/home-faults',
  'e2e/matter-home',
  'e2e/security-phone-home',
  'e2e/silence',
  'e2e/transport-faults',
].map((name) => `/test/${name}.test.ts`);
const KINDS: readonly [kind: string, of: RegExp][] = [
  ['browser', /\/test\/browser\//],
  ['homes', /\/test\/(e2e|storage|support-tests|config|drivers\/(hap|matter)|[^/]+$)/],
];
/** Of a run, the share in which all files of a kind begin: what waits is not to be what the run ends with. */
const SHARES: Readonly<Record<string, number>> = { waiting: 0.75, browser: 0.9, homes: 0.95, units: 1 };

export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Those that failed or took long last time come first, else the larger ones.
    const sorted = await super.sort(files);
    const of = (...names: string[]) => sorted.filter(({ project }) => names.includes(project.name));
    // Processes are shared by what follows in the same project: nothing of another one is to come in between.
    return [...of('alone', 'pages alone'), ...of('pages'), ...inTurns(of('shared'))];
  }
}

function inTurns(files: readonly TestSpecification[]): TestSpecification[] {
  const lanes = new Map<string, TestSpecification[]>();
  for (const file of files) {
    const kind = kindOf(file.moduleId);
    lanes.set(kind, [...(lanes.get(kind) ?? []), file]);
  }
  return [...lanes]
    .flatMap(([kind, lane]) => {
      const share = (SHARES[kind] ?? 1) / lane.length;
      return lane.map((file, index) => ({ file, place: index * share }));
    })
    .sort((one, other) => one.place - other.place)
    .map(({ file }) => file);
}

function kindOf(path: string): string {
  if (WAITING.some((end) => path.endsWith(end))) return 'waiting';
  return KINDS.find(([, of]) => of.test(path))?.[0] ?? 'units';
}
