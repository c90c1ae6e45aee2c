/**
 * The data directory: it holds all persistent data, mode 0700, its files 0600 (decisions §1). Opening creates it,
 * tightens its modes, rejects any condition that would lose or leak data, and keeps other daemons out. It knows files
 * only by name.
 */
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { HearthError, messageOf } from '../kernel/errors.ts';
import { BACKUPS_FOLDER } from './database.ts';
import { isLocked, LOCK_FILE, PID_FILE, pidOfHolder, takeLock } from './directory-lock.ts';

export const RELAY_DATABASE = 'relay.db';
export const HISTORY_DATABASE = 'history.db';
export const SOCKET_FILE = 'hearthd.sock';

/** Prefixes of our files: `relay.db-wal` and `relay.db.damaged-…` belong to us too. */
const OUR_FILES = [RELAY_DATABASE, HISTORY_DATABASE, 'pairings.json', SOCKET_FILE, LOCK_FILE, PID_FILE, BACKUPS_FOLDER];
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const FOR_OTHERS = 0o077;
/** `sun_path` of a Unix socket holds 104 bytes on macOS and 108 on Linux, including the closing zero. */
const MAX_SOCKET_PATH_LENGTH = 103;

export interface DataDirectory {
  /** Absolute, symbolic links resolved. */
  readonly path: string;
  /** The path of a file in the directory. */
  file(name: string): string;
  /** Releases the lock. Idempotent. */
  close(): void;
}

/** A problem of the directory or of a file in it. */
export interface DirectoryFault {
  readonly path: string;
  /** The end of a sentence that starts with the path: "is a symbolic link". */
  readonly problem: string;
  /** A complete sentence. */
  readonly fix: string;
  /** Set if the daemon repairs the problem itself at the start. */
  readonly repair?: () => void;
}

/** Another daemon uses this directory. */
export class DirectoryInUseError extends HearthError {
  readonly pid: number | undefined;

  constructor(path: string, pid: number | undefined) {
    const stop = pid === undefined ? 'Stop it' : `Stop it (sudo systemctl stop hearthd, or kill ${pid})`;
    super(
      'conflict',
      `hearthd is already running on ${path}${pid === undefined ? '' : ` (pid ${pid})`}. ${stop}, or give this one another directory with --data-dir.`,
    );
    this.pid = pid;
  }
}

/**
 * Opens (or creates) the data directory and takes its lock.
 * @throws `conflict`, one line with the path and the fix: not a directory, a symbolic link or a foreign file in place
 * of ours, read-only, owned by another user, path too long · `DirectoryInUseError`
 */
export function openDataDirectory(path: string): DataDirectory {
  const wanted = resolve(path);
  createFolder(wanted);
  const folder = realpathSync(wanted);
  for (const fault of examineDirectory(folder)) {
    if (!fault.repair) throw new HearthError('conflict', `${fault.path} ${fault.problem}. ${fault.fix}`);
    fault.repair();
  }
  const lock = lockOrRefuse(folder);
  return {
    path: folder,
    file: (name) => join(folder, name),
    close: () => lock.release(),
  };
}

/** Whether a daemon uses the directory, and its pid if known. */
export function daemonIn(path: string): { readonly running: boolean; readonly pid: number | undefined } {
  const running = isLocked(path);
  return { running, pid: running ? pidOfHolder(path) : undefined };
}

/**
 * Lists all problems of an existing directory, worst first. Changes nothing.
 * @param owner the expected owner of all files: by default the user id of this process.
 */
export function examineDirectory(path: string, owner = process.geteuid?.()): readonly DirectoryFault[] {
  const stats = statSync(path);
  if (!stats.isDirectory()) {
    return [
      { path, problem: 'is not a directory', fix: 'Move the file away, or give another directory with --data-dir.' },
    ];
  }
  const faults = [foreignOwner(path, stats, owner), notWritable(path), tooLongForSocket(path)].filter(
    (fault) => !!fault,
  );
  if (faults.length > 0) return faults;
  const files = readdirSync(path)
    .filter((name) => OUR_FILES.some((ours) => name.startsWith(ours)))
    .map((name) => join(path, name));
  return [...files.flatMap((file) => fileFaults(file, owner)), ...tooOpen(path, stats, FOLDER_MODE)].sort(
    (a, b) => Number(a.repair !== undefined) - Number(b.repair !== undefined),
  );
}

function createFolder(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })) return;
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(path, { mode: FOLDER_MODE });
    // Sets the mode regardless of the umask.
    chmodSync(path, FOLDER_MODE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const fix: Record<string, string> = {
      EACCES: 'This user may not: create it as root and chown it to this user, or give another one with --data-dir.',
      EROFS: 'The file system is read-only: remount it read-write, or give another directory with --data-dir.',
      ENOTDIR: 'Part of the path is a file: give another directory with --data-dir.',
      EEXIST: 'Part of the path is a file or a broken link: give another directory with --data-dir.',
      ENOENT: 'Part of the path is a broken link: give another directory with --data-dir.',
      ENOSPC: 'The disk is full: free some space.',
    };
    throw new HearthError(
      'conflict',
      `The data directory ${path} can't be created. ${fix[code ?? ''] ?? `${messageOf(error)}.`}`,
      {},
      { cause: error },
    );
  }
}

function lockOrRefuse(folder: string): { release(): void } {
  try {
    const lock = takeLock(folder);
    if (lock) return lock;
  } catch (error) {
    throw new HearthError(
      'conflict',
      `${join(folder, LOCK_FILE)} can't be locked: ${messageOf(error)}. Check that the disk is neither full nor read-only, and that it is a local one.`,
      {},
      { cause: error },
    );
  }
  throw new DirectoryInUseError(folder, pidOfHolder(folder));
}

function foreignOwner(path: string, stats: Stats, owner: number | undefined): DirectoryFault | undefined {
  if (owner === undefined || stats.uid === owner) return undefined;
  return {
    path,
    problem: `belongs to user ${stats.uid}, but hearthd runs as user ${owner}`,
    fix: `Run it as that user (sudo -u '#${stats.uid}' …), or hand everything over: sudo chown -R ${owner} ${quoted(path)}`,
  };
}

function notWritable(path: string): DirectoryFault | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
      ? {
          path,
          problem: 'is on a read-only file system',
          fix: 'Remount it read-write; if it became read-only by itself, the disk or SD card is failing.',
        }
      : { path, problem: 'is not writable', fix: `Make it so: chmod 700 ${quoted(path)}` };
  }
}

function tooLongForSocket(path: string): DirectoryFault | undefined {
  const excess = Buffer.byteLength(join(path, SOCKET_FILE)) - MAX_SOCKET_PATH_LENGTH;
  if (excess <= 0) return undefined;
  return {
    path,
    problem: `is too long a path for the socket in it, by ${excess} bytes`,
    fix: 'Give a directory with a shorter path with --data-dir.',
  };
}

function fileFaults(path: string, owner: number | undefined): readonly DirectoryFault[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isSymbolicLink()) {
    return [
      { path, problem: 'is a symbolic link', fix: 'Put the real file there; hearthd does not write through links.' },
    ];
  }
  const foreign = foreignOwner(path, stats, owner);
  if (foreign) return [foreign];
  return tooOpen(path, stats, stats.isDirectory() ? FOLDER_MODE : FILE_MODE);
}

function tooOpen(path: string, stats: Stats, mode: number): readonly DirectoryFault[] {
  if ((stats.mode & FOR_OTHERS) === 0) return [];
  return [
    {
      path,
      problem: `may be read by others (mode ${(stats.mode & 0o777).toString(8).padStart(4, '0')})`,
      fix: `chmod ${mode.toString(8)} ${quoted(path)}`,
      repair: () => chmodSync(path, mode),
    },
  ];
}

/** Quotes a path for a shell if needed. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
