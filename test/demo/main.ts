/**
 * `npm run demo`: runs the demo in a process of its own and passes signals on. The demo computes for a quarter of a second at a
 * time while it pairs, and tsx kills outright whatever does not notice a signal within 60 ms; this process is always awake.
 */
import { join } from 'node:path';
import { forkTypeScript } from '../support/tsx-process.ts';
import { watchNpm } from './orphan.ts';

const demo = forkTypeScript(join(import.meta.dirname, 'demo.ts'), { args: process.argv.slice(2) });

/** Signals after the first are dropped by the demo, so it does no harm that a terminal sends one to both of us. */
function end(): void {
  demo.kill('SIGTERM');
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
watchNpm(end);
demo.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
