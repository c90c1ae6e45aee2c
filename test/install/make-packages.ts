/** Makes the npm and the Debian package of a staged tree, and prints their files: in a process of another user. */
import { makeDebPackage } from '../../.ci/package/deb-package.ts';
import type { NativeModules } from '../../.ci/package/native-modules.ts';
import { makeNpmPackage } from '../../.ci/package/npm-package.ts';

export interface Packages {
  readonly npm: string;
  readonly deb: string;
}
export interface PackagesWanted {
  readonly tree: string;
  readonly scratch: string;
  readonly out: string;
  readonly date: number;
  readonly umask: number;
  readonly modules: NativeModules;
}

const { tree, scratch, out, date, umask, modules } = JSON.parse(process.argv[2] ?? '') as PackagesWanted;
process.umask(umask);
const making = { scratch, out, date, effort: 'none' } as const;
const made: Packages = { npm: makeNpmPackage(tree, making), deb: makeDebPackage(tree, making, modules) };
process.stdout.write(JSON.stringify(made));
