/** Checks of the data directory. They change nothing. */
import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../kernel/errors.ts';
import { daemonIn, examineDirectory, RELAY_DATABASE } from '../../storage/data-directory.ts';
import { checkDatabase } from '../../storage/database.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const MEBIBYTE = 1024 * 1024;
/** Space for the database, its write-ahead log and a copy before an upgrade, with a reserve. */
const LOW_SPACE_MIB = 200;
const NO_SPACE_MIB = 20;

export interface DirectoryReport {
  readonly findings: readonly Finding[];
  readonly running: boolean;
  /** The time of the last database write, in milliseconds. */
  readonly lastWritten: number | undefined;
}

export function checkDirectory(path: string): DirectoryReport {
  const nothing = { running: false, lastWritten: undefined };
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) {
    const finding = warn(
      'directory',
      `${path} does not exist yet`,
      'hearthd start creates it. If it is the wrong one, pass --data-dir.',
    );
    return { ...nothing, findings: [finding] };
  }
  if (!stats.isDirectory()) {
    return {
      ...nothing,
      findings: [fail('directory', `${path} is not a directory`, 'Pass the right one with --data-dir.')],
    };
  }
  try {
    // Root checks the service user's directory, so its present owner is correct.
    const owner = process.geteuid?.() === 0 ? stats.uid : undefined;
    const faults = examineDirectory(path, owner).map(({ path: where, problem, fix, repair }) =>
      (repair ? warn : fail)(
        'directory',
        `${where} ${problem}`,
        repair ? `${fix} (hearthd start also does this)` : fix,
      ),
    );
    const { running, pid } = daemonIn(path);
    const database = join(path, RELAY_DATABASE);
    return {
      findings: [
        ...(faults.length > 0 ? faults : [ok('directory', `${path} is private and writable`)]),
        checkSpace(path),
        running
          ? ok('daemon', pid === undefined ? 'is running' : `is running (pid ${pid})`)
          : warn('daemon', 'is not running', 'sudo systemctl start hearthd, or hearthd start'),
        ...(running ? [] : checkDatabaseFile(database)),
      ],
      running,
      lastWritten: statSync(database, { throwIfNoEntry: false })?.mtimeMs,
    };
  } catch (error) {
    const finding = fail(
      'directory',
      `cannot read ${path}: ${messageOf(error)}`,
      'Run hearthd doctor as its owner or with sudo.',
    );
    return { ...nothing, findings: [finding] };
  }
}

function checkSpace(path: string): Finding {
  const { bavail, bsize } = statfsSync(path);
  const free = Math.floor((bavail * bsize) / MEBIBYTE);
  const message = `${free} MiB free`;
  const fix = 'Free disk space. On a full disk, hearthd cannot save anything.';
  if (free < NO_SPACE_MIB) return fail('disk', message, fix);
  return free < LOW_SPACE_MIB ? warn('disk', message, fix) : ok('disk', message);
}

function checkDatabaseFile(path: string): readonly Finding[] {
  if (!statSync(path, { throwIfNoEntry: false })) return [];
  const fault = checkDatabase(path);
  if (fault === undefined) return [ok('database', `${path} is intact`)];
  return [fail('database', fault, 'If it is damaged, hearthd start restores the newest intact copy.')];
}
