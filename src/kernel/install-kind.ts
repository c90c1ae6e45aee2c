import { basename, dirname, join } from 'node:path';

/** How this program came to this computer: `checkout` is a clone of the repository that was built here. */
export const INSTALL_KINDS = ['apt', 'npm', 'tarball', 'image', 'checkout'] as const;
export type InstallKind = (typeof INSTALL_KINDS)[number];

/** Where the Debian package puts it. */
const OF_DEBIAN = '/usr/lib/hearthd';
/** Podman and Docker leave one of these in each container. */
const OF_CONTAINERS = ['/run/.containerenv', '/.dockerenv'];
const SYSTEMD = '/run/systemd/system';

/** @param program the folder that has `bin` and `package.json` */
export function installKind({ program, exists }: { program: string; exists(path: string): boolean }): InstallKind {
  if (program.replace(/\/$/, '') === OF_DEBIAN) {
    // The image has the Debian package in it, and no service manager.
    const isImage = OF_CONTAINERS.some((path) => exists(path)) && !exists(SYSTEMD);
    return isImage ? 'image' : 'apt';
  }
  if (exists(join(program, 'runtime/node'))) return 'tarball';
  return basename(dirname(program)) === 'node_modules' ? 'npm' : 'checkout';
}
