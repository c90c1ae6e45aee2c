/** The computer as commands change it that install something: other programs, and files outside the data directory. */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM_FOLDER } from '../../kernel/program-folder.ts';

/** Package managers print a lot; a program that prints more than this is killed. */
const MAX_OUTPUT_BYTES = 64_000_000;

export interface Ran {
  /** `null` if there is no such program. */
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Computer {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  /** Who called `sudo`. */
  readonly sudoUser: string | undefined;
  /** The folder that the program lies in: `bin` and `package.json` are there. */
  readonly program: string;
  /** The Node that runs this. */
  readonly node: string;
  exists(path: string): boolean;
  /** A link to one is none. */
  isFolder(path: string): boolean;
  /** @returns `undefined` if there is no such file. */
  read(path: string): string | undefined;
  write(path: string, text: string): void;
  remove(path: string): void;
  run(program: string, ...args: readonly string[]): Ran;
}

export function thisComputer(sudoUser?: string): Computer {
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    sudoUser,
    program: realpathSync(fileURLToPath(new URL('..', PROGRAM_FOLDER))),
    node: process.execPath,
    exists: existsSync,
    isFolder: (path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
    read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    write: (path, text) => {
      mkdirSync(dirname(path), { recursive: true });
      // A power cut right after it must not leave an empty file.
      writeFileSync(path, text, { mode: 0o644, flush: true });
    },
    remove: (path) => rmSync(path, { force: true }),
    run: (program, ...args) => {
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES });
      return { status, out: (stdout ?? '').trim(), err: (stderr ?? '').trim() };
    },
  };
}
