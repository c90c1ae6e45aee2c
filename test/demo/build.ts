/**
 * Builds what the demo runs, where a source is newer than the last whole build. All that a build prints goes to stderr.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** Everything that `npm run build` reads. */
export const SOURCES = [
  'src',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'package-lock.json',
  'package.json',
  'test/README.md',
  'tsconfig.json',
];

/** `npm run build` leaves it when all is done, with the time at which it began. */
const MARK = 'dist/built';

/**
 * Whether a whole build is there that is as new as every source, the folders included: a removed file changes its
 * folder.
 */
export function isBuilt(root: string = ROOT): boolean {
  const mark = statSync(join(root, MARK), { throwIfNoEntry: false });
  if (!mark) return false;
  return SOURCES.every((source) => newest(join(root, source)) <= mark.mtimeMs);
}

function newest(path: string): number {
  const stats = statSync(path);
  const inside = stats.isDirectory() ? readdirSync(path) : [];
  return Math.max(stats.mtimeMs, ...inside.map((name) => newest(join(path, name))));
}

export interface Build {
  /** Resolves with whether it succeeded. */
  readonly done: Promise<boolean>;
  /** Ends it with all that it started. */
  stop(): void;
}

/** @param command what builds; of its own process group, so that no compiler outlives it. */
export function startBuild(command: readonly string[] = ['npm', 'run', '--silent', 'build']): Build {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', process.stderr, process.stderr], detached: true });
  const done = new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve(false);
    });
    child.on('exit', (code) => resolve(code === 0));
  });
  return { done, stop: () => endGroup(child) };
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended.
  }
}
