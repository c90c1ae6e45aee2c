/** The production tree: what runs, and nothing else. Every package is made of it. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { FILE_LIST, hashOf } from '../../src/cli/verify-program.ts';
import { licenses } from '../licenses.js';
import { toolFor } from './architectures.ts';
import type { NativeModules } from './native-modules.ts';

const MB = 1_000_000;
/** Without Node. */
const MOST_BYTES = 60 * MB;

/** What a checkout has of its own, besides the build. */
const OURS = ['bin', 'systemd', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'];
/** They are read by compilers, debuggers and people, and by no program that runs. */
const NEVER_RUNS = /\.(?:[cm]?ts|map|md|markdown|flow|tsbuildinfo|gyp|gypi)$|^\.(?!bin$)/;
const LICENCE = /licen[cs]e|copying|notice/i;
/** Folders at the top of a package that no program reads. */
const FOR_PEOPLE = ['test', 'tests', 'docs', 'example', 'examples', 'benchmark', 'benchmarks', 'coverage'];
/** A package with native code of its own brings its sources too: 12 MB of SQLite. */
const OF_SQLITE = ['build', 'deps', 'src'];
/** Their only use is to fetch or compile the native module, which is there already. */
const ONLY_INSTALLS = 'prebuild-install';

/** Of package-lock.json. */
export interface LockedPackage {
  readonly version?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** As in package.json: what the packages make of it. */
export interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

export const readPackageFile = (root: string): PackageFile =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageFile;

/**
 * Makes the tree of a built checkout in a folder that does not exist yet.
 * @param dist what `npm run build` made
 * @param modules the SQLite module for each version of Node that the tree is for
 * @param natives whose `node_modules` has the packages for one kind of processor: another one than `root` if the tree is
 *   for another processor
 */
export function stage(root: string, dist: string, folder: string, modules: NativeModules, natives = root): void {
  mkdirSync(folder, { recursive: true });
  for (const name of OURS) cpSync(join(root, name), join(folder, name), { recursive: true });
  cpSync(dist, join(folder, 'dist'), { recursive: true });
  rmSync(join(folder, 'dist/built'), { force: true });
  // The maps lead to sources that are not there.
  for (const file of filesBelow(join(folder, 'dist'))) if (file.endsWith('.map')) rmSync(file);
  copyPackages(root, natives, folder);
  addNativeModules(folder, modules);
  const { name, version, description, license, engines, dependencies } = readPackageFile(root);
  const shown = {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { hearthd: 'bin/hearthd.js' },
    dependencies,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(shown, null, 2)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenses(root, dist));
  writeFileList(folder);
  normalizeModes(folder);
  const bytes = filesBelow(folder).reduce((sum, file) => sum + lstatSync(file).size, 0);
  if (bytes > MOST_BYTES) throw new Error(`The production tree has ${bytes} bytes; ${MOST_BYTES} are allowed.`);
}

/** Those that package-lock.json calls production, as npm put them here. */
function copyPackages(root: string, natives: string, folder: string): void {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const unused = onlyFor(ONLY_INSTALLS, lock.packages);
  for (const [path, { link, dev, devOptional, optional, cpu }] of Object.entries(lock.packages)) {
    // Links lead to what stands in for a package in tests.
    if (!path.startsWith('node_modules/') || link || dev || devOptional || unused.has(path)) continue;
    const from = join(cpu === undefined ? root : natives, path);
    if (!existsSync(from)) {
      // For another kind of computer.
      if (optional) continue;
      throw new Error(`${path} is missing. Run npm ci first.`);
    }
    cpSync(from, join(folder, path), {
      recursive: true,
      filter: (file) => {
        const below = file.slice(from.length);
        if (below === '') return true;
        if (below.startsWith('/node_modules')) return false;
        const name = basename(file);
        if (!lstatSync(file).isDirectory()) return LICENCE.test(name) || !NEVER_RUNS.test(name);
        if (name.startsWith('.')) return false;
        if (below !== `/${name}`) return true;
        return !(path.endsWith('/better-sqlite3') ? OF_SQLITE : FOR_PEOPLE).includes(name);
      },
    });
  }
}

/** The packages at the top of the tree that would not be there without this one. */
function onlyFor(name: string, packages: Readonly<Record<string, LockedPackage>>): ReadonlySet<string> {
  const production = Object.entries(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
  const gone = new Set([`node_modules/${name}`]);
  for (let before = 0; before !== gone.size; ) {
    before = gone.size;
    for (const [path] of production) {
      if (path === '' || path.lastIndexOf('node_modules/') !== 0) continue;
      const wanted = path.slice('node_modules/'.length);
      const users = production.filter(([, { dependencies }]) => dependencies && wanted in dependencies);
      // better-sqlite3 asks for it, and runs without.
      const isUsed = users.some(([user]) => !gone.has(user) && !(wanted === name && user.endsWith('/better-sqlite3')));
      if (users.length > 0 && !isUsed) gone.add(path);
    }
  }
  // What lies inside of one goes with it.
  for (const [path] of production) {
    const outer = path.split('/node_modules/')[0] ?? '';
    if (gone.has(outer)) gone.add(path);
  }
  return gone;
}

/** Where `bindings`, by which better-sqlite3 finds its module, looks for one by the version of Node. */
function addNativeModules(folder: string, modules: NativeModules): void {
  rmSync(join(folder, 'node_modules/better-sqlite3/build'), { recursive: true, force: true });
  for (const { abi, platform, arch, file } of modules) {
    const place = join(folder, `node_modules/better-sqlite3/lib/binding/node-v${abi}-${platform}-${arch}`);
    mkdirSync(place, { recursive: true });
    cpSync(file, join(place, 'better_sqlite3.node'));
    execFileSync(toolFor(arch, 'strip'), ['--strip-unneeded', join(place, 'better_sqlite3.node')]);
  }
}

/** What `hearthd version --verify` compares with. The list does not have itself. */
export function writeFileList(folder: string): void {
  const list = join(folder, FILE_LIST);
  rmSync(list, { force: true });
  const files = filesBelow(folder).filter((file) => lstatSync(file).isFile());
  writeFileSync(list, files.map((file) => `${hashOf(file)}  ${file.slice(folder.length + 1)}\n`).join(''));
  chmodSync(list, 0o644);
}

/** The umask of the person who builds must not show. */
function normalizeModes(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })) {
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, entry.isDirectory() || path === join(folder, 'bin/hearthd.js') ? 0o755 : 0o644);
  }
}

export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
