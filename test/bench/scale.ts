/**
 * How long a home takes from the process's start until everything is connected, subscribed and read, what memory it
 * then holds, and how a home of 500 comes back after it was lost as a whole. The baseline for the first two is raw
 * hap-controller.
 */
import { startFleet } from '../support/accessories/fleet.ts';
import { eventually } from '../support/e2e-relay.ts';
import { BenchDaemon, CONTROLLER } from './bench-daemon.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { measureRawHome } from './raw-hap-controller.ts';
import { printFinding, quantile } from './report.ts';

const SIZES = [20, 100, 150, 500];
const LARGEST = 500;
const CHARACTERISTICS_EACH = 24;
const MAX_MB = 250;
const MAX_SECONDS_BACK = 10;
/** How long the home is gone: a router's reboot in small. */
const OUTAGE_MS = 3_000;
/** Memory is looked at when the start is over and garbage was collected in the ordinary way. */
const SETTLE_MS = 5_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function benchScale(): Promise<void> {
  for (const count of SIZES) {
    const fleet = await startFleet({ count, controllers: [CONTROLLER] });
    const raw = await measureRawHome(fleet.members, SETTLE_MS);
    const daemon = BenchDaemon.pairedWith(fleet.members);
    const started = performance.now();
    try {
      await daemon.start();
      await daemon.untilConnected(count);
      printFinding({
        what: `${count} accessories connected, subscribed and read, from the process's start`,
        ours: (performance.now() - started) / 1_000,
        baseline: raw.seconds,
        unit: 's',
      });
      await wait(SETTLE_MS);
      const residentMb = daemon.residentMb();
      printFinding({
        what: `resident memory with ${count} accessories (${count * CHARACTERISTICS_EACH} characteristics)`,
        ours: residentMb,
        baseline: raw.residentMb,
        unit: 'MB',
        ...(count === LARGEST && {
          note: `to be reached: at most ${MAX_MB} MB: ${residentMb <= MAX_MB ? 'yes' : 'NO'}`,
        }),
      });
      if (count === LARGEST) await benchTotalLoss(fleet, daemon);
    } finally {
      await daemon.stop();
      await fleet.stop();
    }
  }
}

async function benchTotalLoss(fleet: Awaited<ReturnType<typeof startFleet>>, daemon: BenchDaemon): Promise<void> {
  const client = await KeepAliveClient.connect(daemon.url, daemon.token);
  const latencies: number[] = [];
  let watching = true;
  const watch = (async () => {
    while (watching) {
      const start = performance.now();
      await client.get('/rest/homes');
      latencies.push(performance.now() - start);
      await wait(20);
    }
  })();
  await fleet.lose();
  await eventually(async () => (await daemon.connectedCount()) === 0, 'the loss to be noticed', 60_000);
  await wait(OUTAGE_MS);
  await fleet.restore();
  const restored = performance.now();
  await daemon.untilConnected(LARGEST);
  const seconds = (performance.now() - restored) / 1_000;
  watching = false;
  await watch;
  client.close();
  printFinding({
    what: `all ${LARGEST} back after total loss`,
    ours: seconds,
    unit: 's',
    target: { at: 'most', value: MAX_SECONDS_BACK },
    note: `from the last one listening again; the API meanwhile: median ${quantile(latencies, 0.5).toFixed(1)} ms, p95 ${quantile(latencies, 0.95).toFixed(1)} ms, slowest ${Math.max(...latencies).toFixed(0)} ms`,
  });
}
