import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockedPackage } from './stage.ts';

const AT_TOP = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/;

/**
 * Gets the packages with native code for another processor, which npm left out of the checkout, from the registry unless
 * the cache has them. They are those that package-lock.json names, with its sums.
 * @returns the folder whose `node_modules` has them
 */
export function foreignPackages(root: string, cache: string, arch: string): string {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, LockedPackage>> };
  const chosen = Object.entries(packages).filter(([path, locked]) => AT_TOP.test(path) && isFor(arch, locked));
  const dependencies = Object.fromEntries(chosen.map(([path, { version }]) => [AT_TOP.exec(path)?.[1], version]));
  const wanted = JSON.stringify({ private: true, dependencies });
  const folder = join(cache, `packages-linux-${arch}`);
  const finished = join(folder, 'finished');
  if (existsSync(finished) && readFileSync(finished, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const lock = { lockfileVersion: 3, packages: { '': { dependencies }, ...Object.fromEntries(chosen) } };
  writeFileSync(join(folder, 'package.json'), wanted);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  // With force, npm takes packages that this computer can't run.
  const options = ['--silent', '--ignore-scripts', '--force'];
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(finished, wanted);
  return folder;
}

/** In production, and on a Debian with this processor. */
function isFor(arch: string, { dev, devOptional, os, cpu, libc }: LockedPackage): boolean {
  if (dev || devOptional || !cpu?.includes(arch)) return false;
  return (os?.includes('linux') ?? true) && (libc?.includes('glibc') ?? true);
}
