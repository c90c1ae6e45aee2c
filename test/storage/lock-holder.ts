/**
 * Opens the data directory named by its argument, reports it, and holds it until it is killed. Run by
 * data-directory.test.ts.
 */
import { openDataDirectory } from '../../src/storage/data-directory.ts';

try {
  openDataDirectory(process.argv[2] ?? '');
  process.stdout.write('held\n');
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
