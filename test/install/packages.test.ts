import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDebPackage } from '../../.ci/package/deb-package.ts';
import { foreignPackages } from '../../.ci/package/foreign-packages.ts';
import { engineIn, engineOf, nativeModules, ownModule } from '../../.ci/package/native-modules.ts';
import { filesBelow, stage } from '../../.ci/package/stage.ts';
import { FILE_LIST, verifyProgram } from '../../src/cli/verify-program.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { ROOT } from '../support/built-once.ts';
import { buildWebInto } from '../support/built-web.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import type { Packages, PackagesWanted } from './make-packages.ts';

/** Any moment serves: the files of a package have this time, and no other. */
const DATE = 1_700_000_000;
const MOST_BYTES = 60_000_000;

const directory = createTempDirectory('packages');
const tree = directory.file('tree');
const modules = [ownModule(ROOT)];
let program: BuiltProgram;

beforeAll(() => {
  program = buildProgram();
  buildWebInto(program);
  stage(ROOT, join(dirname(program.path), '../dist'), tree, modules);
});

afterAll(() => {
  program[Symbol.dispose]();
  directory.remove();
});

let made: Packages | undefined;

/** Those that are only read. */
function packages(): Packages {
  made ??= makeBoth('one', 0o022);
  return made;
}

/**
 * Makes both packages in a folder of this name, of a copy of the tree that was made at another time.
 * @param before put before the command, such as `unshare …`
 */
function makeBoth(name: string, umask: number, before: readonly string[] = []): Packages {
  const [copy, scratch, out] = ['tree', 'scratch', 'out'].map((part) => directory.file(name, part)) as [
    string,
    string,
    string,
  ];
  for (const folder of [scratch, out]) mkdirSync(folder, { recursive: true });
  cpSync(tree, copy, { recursive: true });
  for (const file of filesBelow(copy).slice(0, 40)) utimesSync(file, umask, umask);
  const wanted: PackagesWanted = { tree: copy, scratch, out, date: DATE, umask, modules };
  const node = [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'make-packages.ts')];
  const [command = '', ...words] = [...before, ...node, JSON.stringify(wanted)];
  return JSON.parse(execFileSync(command, words, { cwd: ROOT, encoding: 'utf8' })) as Packages;
}

/** For the process, and for all files that it sees, the user and the group have another number. */
const ANOTHER_USER = ['unshare', '--user', '--map-user=4711', '--map-group=4711'];
const canBeAnother = spawnSync('unshare', [...ANOTHER_USER.slice(1), 'true']).status === 0;

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const list = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 100_000_000 }).trimEnd().split('\n');

describe('the production tree', () => {
  it('has at most 60 MB', () => {
    const bytes = filesBelow(tree).reduce((sum, file) => sum + lstatSync(file).size, 0);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('has a licence in every package', () => {
    const without = packagesOf(join(tree, 'node_modules')).filter((folder) => {
      const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        readonly license?: string;
      };
      return license === undefined && !readdirSync(folder).some((name) => /licen[cs]e/i.test(name));
    });
    expect(without).toEqual([]);
  });

  it('has the licences of all in one file', () => {
    expect(readFileSync(join(tree, 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('better-sqlite3');
  });

  it('is as its list has it, in every package', () => {
    expect(verifyProgram(tree)).toMatchObject({ changed: [], missing: [], added: [] });
    const { npm } = packages();
    const unpacked = directory.file('unpacked');
    mkdirSync(unpacked);
    execFileSync('tar', ['-xzf', npm, '-C', unpacked]);
    const found = verifyProgram(join(unpacked, 'package'));
    expect(found).toMatchObject({ changed: [], missing: [], added: [] });
    expect(found?.list).toBe(hashOf(`${npm}.${FILE_LIST}`));
  });

  it('runs, and serves its health', async () => {
    await using daemon = await BuiltDaemon.start({
      program: { path: join(tree, 'bin/hearthd.js'), [Symbol.dispose]: () => {} },
    });
    expect((await daemon.asSystem('GET', '/health')).status).toBe(200);
    expect(await daemon.end()).toBe(0);
  });
});

describe('packages', () => {
  it('have the same bytes in another folder, at another time, of another user with another umask', () => {
    const one = packages();
    const other = makeBoth('a-folder-elsewhere', 0o077, canBeAnother ? ANOTHER_USER : []);
    expect(hashOf(other.npm)).toBe(hashOf(one.npm));
    expect(hashOf(other.deb)).toBe(hashOf(one.deb));
  });

  it('have no compiler’s input, and of npm no native module', () => {
    const { npm, deb } = packages();
    const ofNpm = list('tar', '-tzf', npm);
    const ofDeb = list('dpkg-deb', '--contents', deb);
    expect(ofNpm).toContain('package/dist/daemon/cli.js');
    expect(ofNpm).toContain('package/node_modules/zod/package.json');
    expect(ofNpm.filter((name) => name.endsWith('.node'))).toEqual([]);
    expect([...ofNpm, ...ofDeb].filter((name) => /\.(?:[cm]?ts|map|gyp)$|\/better-sqlite3\/deps\//.test(name))).toEqual(
      [],
    );
    expect(ofDeb.some((line) => line.endsWith(' ./usr/bin/hearthd -> ../lib/hearthd/bin/hearthd.js'))).toBe(true);
    expect(ofDeb.filter((line) => !/^\S+ root\/root /.test(line))).toEqual([]);
  });
});

/** Nothing here has this processor, and no runner of CI. */
describe('packages for 32-bit ARM', () => {
  const scratch = directory.file('arm');
  const programs = join(scratch, 'bin');
  const { PATH } = process.env;

  beforeAll(() => {
    mkdirSync(programs, { recursive: true });
    process.env.PATH = [programs, PATH].join(delimiter);
  });

  afterAll(() => {
    process.env.PATH = PATH;
  });

  /** A program that only writes down how it was called. */
  function standIn(name: string): () => string {
    const log = join(scratch, `${name}.log`);
    writeFileSync(join(programs, name), `#!/bin/sh\necho "$@" >>'${log}'\n`, { mode: 0o755 });
    return () => readFileSync(log, 'utf8').trim();
  }

  it('have the packages for it that package-lock.json names, by its sums, fetched once', () => {
    const calls = standIn('npm');
    const folder = foreignPackages(ROOT, join(scratch, 'cache'), 'arm');
    const { packages } = lockOf(folder);
    expect(Object.keys(packages)).toEqual(['', 'node_modules/@node-rs/argon2-linux-arm-gnueabihf']);
    const [, path = ''] = Object.keys(packages);
    expect(packages[path]).toEqual(lockOf(ROOT).packages[path]);
    expect(packages[path]).toHaveProperty('integrity');
    foreignPackages(ROOT, join(scratch, 'cache'), 'arm');
    expect(calls()).toBe('ci --silent --ignore-scripts --force');
  });

  it('have no native code of this computer, and the name that Debian has for it', () => {
    const strips = standIn('arm-linux-gnueabihf-strip');
    const [natives, armTree, out] = ['natives', 'tree', 'out'].map((name) => join(scratch, name)) as [
      string,
      string,
      string,
    ];
    const argon2 = 'node_modules/@node-rs/argon2-linux-arm-gnueabihf';
    mkdirSync(join(natives, argon2), { recursive: true });
    mkdirSync(out);
    writeFileSync(join(natives, argon2, 'argon2.linux-arm-gnueabihf.node'), '');
    const armModules = modules.map((module) => ({ ...module, arch: 'arm' }));
    stage(ROOT, join(dirname(program.path), '../dist'), armTree, armModules, natives);
    expect(strips()).toContain(`-linux-arm/better_sqlite3.node`);
    const deb = makeDebPackage(armTree, { scratch, out, date: DATE, effort: 'none' }, armModules);
    expect(deb).toMatch(/_armhf\.deb$/);
    expect(list('dpkg-deb', '--field', deb, 'Architecture')).toEqual(['armhf']);
    const native = list('dpkg-deb', '--contents', deb).filter((line) => line.endsWith('.node'));
    expect(native.map((line) => line.slice(line.indexOf('node_modules/'))).sort()).toEqual([
      `${argon2}/argon2.linux-arm-gnueabihf.node`,
      `node_modules/better-sqlite3/lib/binding/node-v${process.versions.modules}-linux-arm/better_sqlite3.node`,
    ]);
  });

  it('name what is missing: the compiler, and a Node for the archive', () => {
    process.env.PATH = programs;
    expect(() => nativeModules(ROOT, scratch, [20], 'arm')).toThrow('Install g++-arm-linux-gnueabihf first.');
    expect(() => engineOf(scratch, 24, 'arm')).toThrow('--own-node');
    const unpacked = join(scratch, 'unpacked');
    for (const name of ['bin', 'include/node']) mkdirSync(join(unpacked, name), { recursive: true });
    symlinkSync(process.execPath, join(unpacked, 'bin/node'));
    writeFileSync(join(unpacked, 'include/node/node_version.h'), '#define NODE_MAJOR_VERSION 22\n');
    expect(engineIn(unpacked, process.arch).line).toBe(22);
    expect(() => engineIn(unpacked, 'arm')).toThrow('is for another processor than arm');
  });
});

interface Lock {
  readonly packages: Readonly<Record<string, unknown>>;
}
const lockOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock;

function packagesOf(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith('@')) return packagesOf(join(folder, name));
    const inner = join(folder, name, 'node_modules');
    return [join(folder, name), ...(lstatSync(inner, { throwIfNoEntry: false }) ? packagesOf(inner) : [])];
  });
}
