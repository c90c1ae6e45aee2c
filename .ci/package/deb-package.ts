/** The package of Debian and its relatives. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { FILE_LIST } from '../../src/cli/verify-program.ts';
import { architecture } from './architectures.ts';
import { type Making, setTimes } from './archive.ts';
import type { NativeModules } from './native-modules.ts';
import { filesBelow, readPackageFile } from './stage.ts';

const PROGRAM = 'usr/lib/hearthd';
const DOC = 'usr/share/doc/hearthd';
const SCRIPTS = ['postinst', 'postrm', 'prerm'];
const KIB = 1024;
/** Debian asks for an address; who builds packages of their own has one in `DEBEMAIL`. */
const MAINTAINER = `hearthd <${process.env.DEBEMAIL ?? 'hearthd@users.noreply.github.com'}>`;

/** @param modules that are in the tree: they say which versions of Node can run it. @returns its file */
export function makeDebPackage(tree: string, { scratch, out, date, effort }: Making, modules: NativeModules): string {
  const folder = join(scratch, 'deb');
  const { version, description } = readPackageFile(tree);
  // 1.0.0-rc.1 is before 1.0.0.
  const debVersion = version.replace('-', '~');
  const arch = architecture(modules[0]?.arch ?? '').debian;
  cpSync(tree, join(folder, PROGRAM), { recursive: true });
  const write = (path: string, text: string | Buffer, mode = 0o644) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), mode);
  };
  mkdirSync(join(folder, 'usr/bin'), { recursive: true });
  symlinkSync('../lib/hearthd/bin/hearthd.js', join(folder, 'usr/bin/hearthd'));
  const unit = readFileSync(join(tree, 'systemd/hearthd.service'), 'utf8');
  write('usr/lib/systemd/system/hearthd.service', unit.replaceAll('/opt/hearthd', `/${PROGRAM}`));
  const ours = join(import.meta.dirname, 'deb');
  write('usr/share/lintian/overrides/hearthd', readFileSync(join(ours, 'lintian-overrides'), 'utf8'));
  write(`${DOC}/copyright`, copyright(tree));
  const when = new Date(date * 1000).toUTCString().replace('GMT', '+0000');
  const change = `hearthd (${debVersion}) stable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- ${MAINTAINER}  ${when}\n`;
  write(`${DOC}/changelog.gz`, pressed(change));
  write(`${DOC}/CHANGELOG.md.gz`, pressed(readFileSync(join(tree, 'CHANGELOG.md'), 'utf8')));
  write('usr/share/man/man1/hearthd.1.gz', pressed(readFileSync(join(ours, 'hearthd.1'), 'utf8')));
  for (const script of SCRIPTS) write(`DEBIAN/${script}`, readFileSync(join(ours, script), 'utf8'), 0o755);
  const files = filesBelow(join(folder, 'usr')).filter((file) => lstatSync(file).isFile());
  const bytes = files.reduce((sum, file) => sum + lstatSync(file).size, 0);
  const lines = modules.map(({ line }) => line);
  write(
    'DEBIAN/control',
    [
      'Package: hearthd',
      `Version: ${debVersion}`,
      `Architecture: ${arch}`,
      `Maintainer: ${MAINTAINER}`,
      `Installed-Size: ${Math.ceil(bytes / KIB)}`,
      // A native module exists up to the newest of them.
      `Depends: adduser, libc6 (>= 2.34), libstdc++6 (>= 5.2), libgcc-s1, nodejs (>= ${oldest(lines)}), nodejs (<< ${Math.max(...lines) + 1}~)`,
      'Section: net',
      'Priority: optional',
      `Description: ${description.split(':')[0]?.toLowerCase()}`,
      ' It finds and pairs HomeKit accessories on the network of a home, runs its',
      ' automations, and offers it to people in a browser and to programs over REST,',
      ' GraphQL, MCP, MQTT and webhooks. It needs no cloud.',
      '',
    ].join('\n'),
  );
  write('DEBIAN/md5sums', files.map((file) => sumOf(folder, file)).join(''));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })) {
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
  chmodSync(folder, 0o755);
  setTimes(folder, date);
  const target = join(out, `hearthd_${debVersion}_${arch}.deb`);
  execFileSync(
    'dpkg-deb',
    ['--root-owner-group', '-Zxz', '--threads-max=1', effort === 'all' ? '-z6' : '-z0', '--build', folder, target],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(date) },
    },
  );
  copyFileSync(join(tree, FILE_LIST), `${target}.${FILE_LIST}`);
  return target;
}

/** The oldest Node of package.json's `engines` in the oldest line that has a module. */
function oldest(lines: readonly number[]): string {
  const line = Math.min(...lines);
  return line === 20 ? '20.19' : line === 22 ? '22.12' : String(line);
}

function copyright(tree: string): string {
  const licence = readFileSync(join(tree, 'LICENSE'), 'utf8').trim();
  const text = licence
    .split('\n')
    .slice(2)
    .map((line) => (line === '' ? ' .' : ` ${line}`))
    .join('\n');
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: hearthd',
    'Comment: The packages in node_modules have licences of their own, which lie beside them.',
    '',
    'Files: *',
    `Copyright: ${/Copyright.*/.exec(licence)?.[0].replace(/^Copyright (?:\(c\) )?/, '') ?? 'the authors'}`,
    'License: Expat',
    text,
    '',
  ].join('\n');
}

const pressed = (text: string) => execFileSync('gzip', ['-9', '-n', '-c'], { input: text });
const sumOf = (folder: string, file: string) =>
  `${createHash('md5').update(readFileSync(file)).digest('hex')}  ${file.slice(folder.length + 1)}\n`;
