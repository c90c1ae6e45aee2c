// Loaded into the daemon by `--import`: writes how late its event loop is, in milliseconds, to a file once a second.
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const file = process.env.LOOP_PROBE_FILE;
if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  setInterval(() => {
    writeFileSync(
      `${file}.new`,
      JSON.stringify({ p99: delay.percentile(99) / 1e6, max: delay.max / 1e6, samples: delay.count }),
    );
    // In one step: whoever reads it at this moment reads all of it.
    renameSync(`${file}.new`, file);
    delay.reset();
  }, 1_000).unref();
}
