import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FILES = ['Dockerfile', 'compose.yaml'];

/**
 * Puts all that an image is built from into one folder: `docker build`, `podman build` and `buildah build` take it. The
 * Debian packages that lie in `out` go in, one for each architecture.
 * @returns its files
 */
export function prepareImage(out: string): readonly string[] {
  const folder = join(out, 'image');
  const packages = readdirSync(out).filter((name) => name.endsWith('.deb'));
  if (packages.length === 0) throw new Error('The image is made of a Debian package. Add deb to --kinds.');
  mkdirSync(folder, { recursive: true });
  for (const name of FILES) cpSync(join(import.meta.dirname, 'image', name), join(folder, name));
  for (const name of packages) cpSync(join(out, name), join(folder, name));
  return [...FILES, ...packages].map((name) => join(folder, name));
}
