import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  DirectoryInUseError,
  daemonIn,
  examineDirectory,
  openDataDirectory,
} from '../../src/storage/data-directory.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { TYPESCRIPT } from '../support/typescript-process.ts';
import { underUmask } from '../support/umask.ts';

const ROOT = process.geteuid?.() === 0;
/** A user id without an account here. */
const STRANGER = 54_321;

let scratch: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'hearthd-dir-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

function refusalOf(path: string): string {
  try {
    openDataDirectory(path).close();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    expect(message).not.toContain('\n');
    return message;
  }
  return 'no refusal';
}

describe('opening the data directory', () => {
  it.each([0o000, 0o077, 0o277])('creates it 0700 under umask %i', (umask) => {
    const path = join(scratch, 'deep', 'data');
    mkdirSync(join(scratch, 'deep'));
    underUmask(umask, () => openDataDirectory(path).close());
    expect(mode(path)).toBe('700');
  });

  it('tightens what is too open: the directory 0700, files 0600, and leaves files that are not ours alone', () => {
    const path = join(scratch, 'data');
    mkdirSync(join(path, 'backups'), { recursive: true });
    for (const name of ['relay.db', 'relay.db-wal', 'pairings.json', 'hearthd.toml'])
      writeFileSync(join(path, name), '');
    for (const name of ['', 'backups', 'relay.db', 'relay.db-wal', 'pairings.json', 'hearthd.toml']) {
      chmodSync(join(path, name), 0o755);
    }
    const directory = openDataDirectory(path);
    expect(mode(path)).toBe('700');
    expect(mode(directory.file('backups'))).toBe('700');
    for (const name of ['relay.db', 'relay.db-wal', 'pairings.json'])
      expect(mode(directory.file(name)), name).toBe('600');
    expect(mode(directory.file('hearthd.toml'))).toBe('755');
    directory.close();
  });

  it('makes its own files 0600 under umask 000', () => {
    underUmask(0, () => {
      const directory = openDataDirectory(join(scratch, 'data'));
      for (const name of ['hearthd.pid', 'hearthd.lock']) expect(mode(directory.file(name)), name).toBe('600');
      directory.close();
    });
  });

  it('follows a link to the directory, as systemd makes one, and goes by the real path', () => {
    mkdirSync(join(scratch, 'real'));
    symlinkSync(join(scratch, 'real'), join(scratch, 'link'));
    const directory = openDataDirectory(join(scratch, 'link'));
    expect(directory.path).toBe(join(scratch, 'real'));
    expect(refusalOf(join(scratch, 'real'))).toContain('already running');
    directory.close();
  });

  it('refuses a file in its place', () => {
    const path = join(scratch, 'file');
    writeFileSync(path, '');
    expect(refusalOf(path)).toBe(
      `${path} is not a directory. Move the file away, or give another directory with --data-dir.`,
    );
    expect(refusalOf(join(path, 'below'))).toMatch(/can't be created\. Part of the path is a file/);
  });

  it.each(['relay.db', 'relay.db-wal', 'pairings.json', 'hearthd.lock', 'backups'])(
    'refuses a symbolic link in place of %s',
    (name) => {
      const path = join(scratch, 'data');
      mkdirSync(path);
      symlinkSync(join(scratch, 'elsewhere'), join(path, name));
      expect(refusalOf(path)).toBe(
        `${join(path, name)} is a symbolic link. Put the real file there; hearthd does not write through links.`,
      );
      expect(existsSync(join(scratch, 'elsewhere'))).toBe(false);
    },
  );

  it('refuses a path that leaves no room for the socket', () => {
    const path = join(scratch, 'x'.repeat(100));
    expect(refusalOf(path)).toMatch(
      /is too long a path for the socket in it, by \d+ bytes\. Give a directory with a shorter path/,
    );
  });

  it('refuses a directory or a file of another user, naming both and the fix', ({ skip }) => {
    skip(!ROOT, 'only root can give a file to another user');
    const path = join(scratch, 'data');
    mkdirSync(path);
    chownSync(path, STRANGER, STRANGER);
    expect(refusalOf(path)).toBe(
      `${path} belongs to user ${STRANGER}, but hearthd runs as user 0. Run it as that user (sudo -u '#${STRANGER}' …), or hand everything over: sudo chown -R 0 ${path}`,
    );
    chownSync(path, 0, 0);
    const file = join(path, 'relay.db');
    writeFileSync(file, '');
    chownSync(file, STRANGER, STRANGER);
    expect(refusalOf(path)).toMatch(/relay\.db belongs to user 54321, but hearthd runs as user 0/);
    expect(statSync(file).size).toBe(0);
  });

  it('refuses a directory on a read-only file system', ({ skip }) => {
    const path = join(scratch, 'mounted');
    mkdirSync(path);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro,mode=700', 'none', path], { stdio: 'ignore' });
    } catch {
      skip('this user may not mount a file system');
    }
    try {
      expect(refusalOf(path)).toBe(
        `${path} is on a read-only file system. Remount it read-write; if it became read-only by itself, the disk or SD card is failing.`,
      );
      expect(refusalOf(join(path, 'new'))).toMatch(/can't be created\. The file system is read-only/);
    } finally {
      execFileSync('umount', [path]);
    }
  });

  it('opens on a full disk, where the daemon can still read and control', ({ skip }) => {
    const path = join(scratch, 'full');
    mkdirSync(path);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'none', path], { stdio: 'ignore' });
    } catch {
      skip('this user may not mount a file system');
    }
    try {
      openDataDirectory(path).close();
      expect(() => writeFileSync(join(path, 'filler'), Buffer.alloc(1_000_000))).toThrow(/ENOSPC/);
      const directory = openDataDirectory(path);
      expect(refusalOf(path)).toMatch(/^hearthd is already running on \S+\. Stop it, /);
      directory.close();
    } finally {
      execFileSync('umount', [path]);
    }
  });

  it('refuses a directory that its user may not write', async ({ skip }) => {
    skip(!ROOT, 'needs a second user');
    chmodSync(scratch, 0o755);
    const path = join(scratch, 'data');
    mkdirSync(path);
    chownSync(path, STRANGER, STRANGER);
    chmodSync(path, 0o500);
    expect(await hold(path, STRANGER).firstLine).toBe(`${path} is not writable. Make it so: chmod 700 ${path}`);
    expect(await hold(join(scratch, 'new'), STRANGER).firstLine).toMatch(/can't be created\. This user may not/);
  });
});

describe('examining a directory', () => {
  it('changes nothing, and names what a start would put right', () => {
    const path = join(scratch, 'data');
    mkdirSync(path);
    writeFileSync(join(path, 'relay.db'), '');
    chmodSync(path, 0o755);
    chmodSync(join(path, 'relay.db'), 0o644);
    expect(examineDirectory(path).map(({ problem, fix }) => `${problem}: ${fix}`)).toEqual([
      `may be read by others (mode 0644): chmod 600 ${join(path, 'relay.db')}`,
      `may be read by others (mode 0755): chmod 700 ${path}`,
    ]);
    expect(mode(path)).toBe('755');
  });
});

describe('the lock', () => {
  it('keeps a second daemon out, naming the first, and lets it in after a close', () => {
    const path = join(scratch, 'data');
    const first = openDataDirectory(path);
    expect(readFileSync(first.file('hearthd.pid'), 'utf8')).toBe(`${process.pid}\n`);
    expect(refusalOf(path)).toBe(
      `hearthd is already running on ${path} (pid ${process.pid}). Stop it (sudo systemctl stop hearthd, or kill ${process.pid}), or give this one another directory with --data-dir.`,
    );
    expect(() => openDataDirectory(path)).toThrow(DirectoryInUseError);
    first.close();
    first.close();
    expect(existsSync(first.file('hearthd.pid'))).toBe(false);
    openDataDirectory(path).close();
  });

  it('that is something else is a fault, and no daemon that runs', () => {
    const path = join(scratch, 'data');
    openDataDirectory(path).close();
    writeFileSync(join(path, 'hearthd.lock'), 'something else, and long enough to be looked at. '.repeat(100));
    const refusal = refusalOf(path);
    expect(refusal).toContain('not a database');
    expect(refusal).not.toContain('already running');
  });

  it('is held against another process and gone at once when that is killed with SIGKILL', async () => {
    const path = join(scratch, 'data');
    const { child, firstLine } = hold(path);
    expect(await firstLine).toBe('held');
    expect(daemonIn(path)).toEqual({ running: true, pid: child.pid });
    expect(refusalOf(path)).toContain(`hearthd is already running on ${path} (pid ${child.pid}).`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readFileSync(join(path, 'hearthd.pid'), 'utf8')).toBe(`${child.pid}\n`);
    expect(daemonIn(path)).toEqual({ running: false, pid: undefined });
    const directory = openDataDirectory(path);
    expect(daemonIn(path)).toEqual({ running: true, pid: process.pid });
    directory.close();
  });

  it('refuses another process while this one holds it, and this one’s database goes on working', async () => {
    const path = join(scratch, 'data');
    const directory = openDataDirectory(path);
    const database = openDatabase(directory.file('relay.db'));
    expect(await hold(path).firstLine).toContain(`already running on ${path} (pid ${process.pid})`);
    database.prepare("INSERT INTO settings VALUES ('still', 'there')").run();
    database.close();
    directory.close();
  });

  it('names no pid that is known to be gone', () => {
    const path = join(scratch, 'data');
    const directory = openDataDirectory(path);
    writeFileSync(directory.file('hearthd.pid'), '999999999\n');
    expect(refusalOf(path)).toMatch(/^hearthd is already running on \S+\. Stop it, or give this one another directory/);
    directory.close();
  });
});

/** Runs another process that opens the directory, as another user if given. */
function hold(path: string, uid?: number): { child: ChildProcess; firstLine: Promise<string> } {
  const script = resolve(import.meta.dirname, 'lock-holder.ts');
  const words = uid === undefined ? [...TYPESCRIPT, script, path] : [bundleOf(script), path];
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid, cwd: '/' }),
  });
  children.push(child);
  const firstLine = new Promise<string>((resolveLine, reject) => {
    if (child.stdout) createInterface(child.stdout).once('line', resolveLine);
    child.once('exit', (code) => reject(new Error(`the other process said nothing and ended with ${code}`)));
  });
  return { child, firstLine };
}

/**
 * The script with all that it imports in one file that every user can read: the sources may lie where only their owner
 * may enter.
 */
function bundleOf(script: string): string {
  const file = join(scratch, 'bundle.mjs');
  const rolldown = resolve(import.meta.dirname, '../../node_modules/.bin/rolldown');
  execFileSync(rolldown, [script, '--platform', 'node', '--file', file], { stdio: 'pipe' });
  chmodSync(file, 0o644);
  return file;
}
