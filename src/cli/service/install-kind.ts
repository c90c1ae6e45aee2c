import { basename, dirname, join } from 'node:path';
import type { Computer } from './computer.ts';

/** How this program came to this computer: `checkout` is a clone of the repository that was built here. */
export type InstallKind = 'apt' | 'npm' | 'tarball' | 'checkout';

/** Where the Debian package puts it. */
const OF_DEBIAN = '/usr/lib/hearthd';

export function installKind(computer: Pick<Computer, 'program' | 'exists'>): InstallKind {
  const { program } = computer;
  if (program.replace(/\/$/, '') === OF_DEBIAN) return 'apt';
  if (computer.exists(join(program, 'runtime/node'))) return 'tarball';
  return basename(dirname(program)) === 'node_modules' ? 'npm' : 'checkout';
}
