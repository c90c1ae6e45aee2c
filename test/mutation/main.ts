/** `npm run mutation`: what the tests of a folder would not notice; see `USAGE`. */
import { commandOptions } from '../support/command-options.ts';
import { FOLDERS } from './folders.ts';
import { parseOptions, USAGE } from './options.ts';
import { type Score, score, toMarkdown } from './report.ts';
import { mutate } from './run.ts';

process.exitCode = await main();

async function main(): Promise<number> {
  const options = commandOptions(parseOptions, USAGE);
  if (typeof options === 'number') return options;
  const scores: Score[] = [];
  for (const name of options.folders) {
    const folder = FOLDERS[name];
    if (folder) scores.push(score(name, await mutate(folder, options.sample, options.workers), options.sample));
  }
  process.stdout.write(toMarkdown(scores));
  return 0;
}
