/** `npm run endurance`: a home through a plan of faults, and a report; fails on anything wrong. */
import { setMaxListeners } from 'node:events';
import { watchNpm } from '../demo/orphan.ts';
import { commandOptions } from '../support/command-options.ts';
import { parseOptions, USAGE } from './options.ts';
import { judge, toMarkdown } from './report.ts';
import { endure } from './run.ts';

const INTERRUPTED = 130;

const stop = new AbortController();
// Each pause listens.
setMaxListeners(0, stop.signal);
const end = (): void => stop.abort();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
watchNpm(end);
process.exitCode = await main();

async function main(): Promise<number> {
  const options = commandOptions(parseOptions, USAGE);
  if (typeof options === 'number') return options;
  const print = (line: string): void => void process.stderr.write(`${line}\n`);
  print(`Seed ${options.seed}`);
  const findings = await endure({ ...options, signal: stop.signal, print });
  process.stdout.write(toMarkdown(findings));
  if (findings.isInterrupted) return INTERRUPTED;
  return judge(findings).length === 0 ? 0 : 1;
}
