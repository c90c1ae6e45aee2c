import { chmodSync, copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_LIST } from '../../src/cli/verify-program.ts';
import { archive, type Making } from './archive.ts';
import type { Engine } from './native-modules.ts';
import { readPackageFile, writeFileList } from './stage.ts';

/** Runs the program with the Node beside it, also through a link. */
const LAUNCHER = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/../bin/hearthd.js" "$@"
`;

/** The production tree with a Node of its own, for systems whose Node is older or absent. @returns its file */
export function makeTarball(tree: string, making: Making, engine: Engine, arch: string): string {
  const folder = join(making.scratch, 'tarball');
  cpSync(tree, folder, { recursive: true });
  const runtime = join(folder, 'runtime');
  mkdirSync(runtime);
  cpSync(engine.program, join(runtime, 'node'));
  cpSync(engine.licence, join(runtime, 'LICENSE.node'));
  writeFileSync(join(runtime, 'hearthd'), LAUNCHER);
  for (const name of ['node', 'hearthd']) chmodSync(join(runtime, name), 0o755);
  chmodSync(join(runtime, 'LICENSE.node'), 0o644);
  chmodSync(runtime, 0o755);
  writeFileList(folder);
  const top = `hearthd-${readPackageFile(tree).version}-${process.platform}-${arch}`;
  const target = join(making.out, `${top}.tar.xz`);
  archive(folder, top, target, making, 'xz');
  copyFileSync(join(folder, FILE_LIST), `${target}.${FILE_LIST}`);
  return target;
}
