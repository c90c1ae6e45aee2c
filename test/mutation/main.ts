/** `npm run mutation`: what the tests of a folder would not notice; see `USAGE`. */
import { FOLDERS } from './folders.ts';
import { parseOptions, USAGE } from './options.ts';
import { type Score, score, toMarkdown } from './report.ts';
import { mutate } from './run.ts';

process.exitCode = await main();

async function main(): Promise<number> {
  let options: ReturnType<typeof parseOptions>;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const scores: Score[] = [];
  for (const name of options.folders) {
    const folder = FOLDERS[name];
    if (folder) scores.push(score(name, await mutate(folder, options.sample, options.workers), options.sample));
  }
  process.stdout.write(toMarkdown(scores));
  return 0;
}
