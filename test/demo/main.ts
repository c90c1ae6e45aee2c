/**
 * `npm run demo`: builds what is to run, runs the demo in a process of its own and passes signals on. The demo computes
 * for a quarter of a second at a time while it pairs; this process, which tsx would kill if it did not notice a signal
 * within 60 ms, is always awake.
 */
import { join } from 'node:path';
import { forkTypeScript } from '../support/typescript-process.ts';
import { isBuilt, startBuild } from './build.ts';
import { parseOptions } from './options.ts';
import { watchNpm } from './orphan.ts';

const args = process.argv.slice(2);
let isEnding = false;
let endRunning: (() => void) | undefined;

/** Signals after the first are dropped by the demo, so it does no harm that a terminal sends one to both of us. */
function end(): void {
  isEnding = true;
  endRunning?.();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
watchNpm(end);
process.exitCode = await main();

async function main(): Promise<number> {
  if (needsBuild() && !(await build())) {
    if (isEnding) return 0;
    process.stderr.write('The demo failed: hearthd can not be built.\n');
    return 1;
  }
  return isEnding ? 0 : runDemo();
}

/** The demo explains wrong arguments, and needs no build for that. */
function needsBuild(): boolean {
  try {
    return !parseOptions(args).help && !isBuilt();
  } catch {
    return false;
  }
}

async function build(): Promise<boolean> {
  process.stderr.write('Building …\n');
  const { done, stop } = startBuild();
  endRunning = stop;
  return done;
}

function runDemo(): Promise<number> {
  const demo = forkTypeScript(join(import.meta.dirname, 'demo.ts'), { args });
  endRunning = () => demo.kill('SIGTERM');
  return new Promise((resolve) => {
    demo.on('exit', (code) => resolve(code ?? 1));
  });
}
