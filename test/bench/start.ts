/**
 * From the process's start until the API answers, and until a hundred accessories with a connection each are connected,
 * subscribed and read: with a whole processor, and with a quarter of one. The baseline is raw hap-controller.
 */
import { startFleet } from '../support/accessories/fleet.ts';
import { eventually } from '../support/e2e-relay.ts';
import { BenchDaemon, CONTROLLER } from './bench-daemon.ts';
import { CpuLimit } from './cpu-limit.ts';
import { measureRawHome } from './raw-hap-controller.ts';
import { median, printFinding } from './report.ts';

const ACCESSORIES = 100;
const ROUNDS = 5;
const ROUNDS_LIMITED = 3;
const SHARE = 0.25;

interface Start {
  readonly answersAfter: number;
  readonly connectedAfter: number;
  /** Of processor time, until all are connected. */
  readonly cpu: number;
}

export async function benchStart(): Promise<void> {
  const fleet = await startFleet({ count: ACCESSORIES, controllers: [CONTROLLER] });
  const raw = await measureRawHome(fleet.members, 0);
  const daemon = BenchDaemon.pairedWith(fleet.members);
  try {
    // What is measured is every start but the first one.
    await daemon.start();
    await daemon.untilConnected(ACCESSORIES);
    const starts: Start[] = [];
    for (let round = 0; round < ROUNDS; round += 1) starts.push(await measureStart(daemon));
    printFinding({
      what: 'from the process’s start until the API answers',
      ours: median(starts.map(({ answersAfter }) => answersAfter)),
      unit: 's',
      target: { at: 'most', value: 0.5 },
    });
    printFinding({
      what: `… until ${ACCESSORIES} accessories are connected, subscribed and read`,
      ours: median(starts.map(({ connectedAfter }) => connectedAfter)),
      unit: 's',
      target: { at: 'most', value: 1.2 },
      note: `raw hap-controller ${raw.seconds.toFixed(2)} s; processor time ${median(starts.map(({ cpu }) => cpu)).toFixed(2)} s`,
    });
    await benchLimited(daemon);
  } finally {
    await daemon.stop();
    await fleet.stop();
  }
}

async function benchLimited(daemon: BenchDaemon): Promise<void> {
  const limit = CpuLimit.create(SHARE);
  const what = `… with ${SHARE} of a processor`;
  if (!limit) {
    console.log(`${what}: not measured, as this user may limit no processes here`);
    return;
  }
  const starts: Start[] = [];
  for (let round = 0; round < ROUNDS_LIMITED; round += 1) starts.push(await measureStart(daemon, limit));
  await daemon.halt();
  limit.remove();
  printFinding({
    what,
    ours: median(starts.map(({ connectedAfter }) => connectedAfter)),
    unit: 's',
    target: { at: 'most', value: 3 },
    note: `the API answers after ${median(starts.map(({ answersAfter }) => answersAfter)).toFixed(2)} s`,
  });
}

async function measureStart(daemon: BenchDaemon, limit?: CpuLimit): Promise<Start> {
  await daemon.halt();
  const started = performance.now();
  const since = (): number => (performance.now() - started) / 1_000;
  const pid = await daemon.spawn();
  limit?.add(pid);
  await eventually(() => daemon.answers('/rest/homes'), 'the API to answer', 60_000);
  const answersAfter = since();
  await daemon.untilConnected(ACCESSORIES);
  return { answersAfter, connectedAfter: since(), cpu: daemon.processorMs() / 1_000 };
}
