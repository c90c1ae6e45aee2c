import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_LIST } from '../../src/cli/verify-program.ts';
import { archive, type Making } from './archive.ts';
import { type PackageFile, readPackageFile, writeFileList } from './stage.ts';

/**
 * The package for `npm install --global`, of the production tree. All packages without native code lie in it, as they
 * were tested together; the others are what npm installs for the computer at hand.
 * @returns its file
 */
export function makeNpmPackage(tree: string, making: Making): string {
  const folder = join(making.scratch, 'npm');
  cpSync(tree, folder, { recursive: true });
  const packages = join(folder, 'node_modules');
  // With what belongs to them, such as the module for this kind of computer.
  for (const name of ['@node-rs', 'better-sqlite3']) rmSync(join(packages, name), { recursive: true });
  const file = readPackageFile(folder);
  const bundled = namesIn(packages);
  const shown = {
    ...file,
    scripts: { preinstall: 'node bin/check-node.js' },
    dependencies: pinned(file, packages, bundled),
    bundleDependencies: bundled,
    publishConfig: { access: 'public', provenance: true },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(shown, null, 2)}\n`);
  writeFileList(folder);
  const target = join(making.out, `hearthd-${file.version}.tgz`);
  archive(folder, 'package', target, making, 'gzip');
  copyFileSync(join(folder, FILE_LIST), `${target}.${FILE_LIST}`);
  return target;
}

/** Ours, and of the bundled ones those that only other packages ask for: npm drops what is not named. */
function pinned(file: PackageFile, packages: string, bundled: readonly string[]): Readonly<Record<string, string>> {
  const all = { ...file.dependencies };
  for (const name of bundled) {
    all[name] ??= (JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as PackageFile).version;
  }
  return Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function namesIn(packages: string): readonly string[] {
  return readdirSync(packages)
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(packages, name)).map((part) => `${name}/${part}`) : [name],
    )
    .sort();
}
