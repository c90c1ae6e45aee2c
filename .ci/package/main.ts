/**
 * `npm run package`: makes the packages of a built checkout, in `dist-packages/`.
 *
 *   --kinds npm,deb,tarball,image   which of them; all unless given
 *   --node 20,22,24           the lines of Node that the Debian package can run with; that of this process unless given
 *   --own-node 24             the line of Node in the tarball, or the folder of one from nodejs.org
 *   --arch arm                another processor than this one, x64, arm64 or arm: with Debian's compiler for it
 *   --out <folder>
 *   --fast                    larger files, in less time
 *
 * Nothing is fetched for npm and deb with the Node of this process. Other lines come from npm once; they and their
 * native modules are kept below `node_modules/.cache`.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { architecture } from './architectures.ts';
import { type Making, sourceDate } from './archive.ts';
import { makeDebPackage } from './deb-package.ts';
import { foreignPackages } from './foreign-packages.ts';
import { prepareImage } from './image.ts';
import { engineIn, engineOf, type NativeModules, nativeModules } from './native-modules.ts';
import { makeNpmPackage } from './npm-package.ts';
import { stage } from './stage.ts';
import { makeTarball } from './tarball.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/package');
const KINDS = ['npm', 'deb', 'tarball', 'image'];
const MB = 1_000_000;

const { values } = parseArgs({
  options: {
    kinds: { type: 'string', default: KINDS.join() },
    node: { type: 'string', default: String(process.versions.node.split('.')[0]) },
    'own-node': { type: 'string', default: '24' },
    arch: { type: 'string', default: process.arch },
    fast: { type: 'boolean', default: false },
    out: { type: 'string', default: join(ROOT, 'dist-packages') },
  },
});

const kinds = values.kinds.split(',');
const unknown = kinds.find((kind) => !KINDS.includes(kind));
if (unknown !== undefined) throw new Error(`There is no package "${unknown}". There are ${KINDS.join(', ')}.`);
const dist = join(ROOT, 'dist');
if (!existsSync(join(dist, 'built'))) throw new Error('There is no finished build. Run npm run build first.');
const { arch, 'own-node': ownNode } = values;
architecture(arch);
const natives = arch === process.arch ? ROOT : foreignPackages(ROOT, CACHE, arch);
const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'hearthd-package-'));
try {
  const treeWith = (name: string, modules: NativeModules) => {
    const tree = join(scratch, name);
    stage(ROOT, dist, tree, modules, natives);
    return tree;
  };
  const making: Making = { scratch, out, date: sourceDate(ROOT), effort: values.fast ? 'none' : 'all' };
  const made: string[] = [];
  const lines = values.node.split(',').map(Number);
  if (kinds.includes('npm') || kinds.includes('deb')) {
    const modules = nativeModules(ROOT, CACHE, lines, arch);
    const tree = treeWith('tree', modules);
    if (kinds.includes('npm')) made.push(makeNpmPackage(tree, making));
    if (kinds.includes('deb')) made.push(makeDebPackage(tree, making, modules));
  }
  if (kinds.includes('tarball')) {
    const isLine = /^\d+$/.test(ownNode);
    const engine = isLine ? engineOf(CACHE, Number(ownNode), arch) : engineIn(resolve(ownNode), arch);
    const tree = treeWith('tree-of-tarball', nativeModules(ROOT, CACHE, [engine.line], arch));
    made.push(makeTarball(tree, making, engine, arch));
  }
  if (kinds.includes('image')) made.push(...prepareImage(out));
  for (const file of made) process.stdout.write(`${file} ${(statSync(file).size / MB).toFixed(1)} MB\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
