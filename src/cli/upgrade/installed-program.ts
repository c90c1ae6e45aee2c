/** The program as each kind of install exchanges it, and brings the old one back. */
import { basename, dirname, join, resolve } from 'node:path';
import { installKind } from '../../kernel/install-kind.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import type { Computer } from '../service/computer.ts';

/** Only root writes here: what lies in it is run as root. */
export const UPGRADE_FOLDER = '/var/cache/hearthd';
const OLD_PACKAGE = `${UPGRADE_FOLDER}/previous.deb`;

export interface InstalledProgram {
  /** Keeps what is installed, and checks the new one as far as that can be done beside it: what runs stays. */
  keep(): void;
  put(): void;
  /** Works after any part of `put`. */
  back(): void;
  /** Removes what was kept. */
  forget(): void;
  /** How to go back by hand if the program itself is missing. */
  readonly wayBack: string;
}

/** @param spec the file of the new package, or what npm takes; not needed to go back @throws `CliError` */
export function installedProgram(computer: Computer, spec: string | undefined): InstalledProgram {
  const kind = installKind(computer);
  if (kind === 'checkout') {
    throw new CliError(
      EXIT.refused,
      'checkout',
      'This program runs from a checkout. The manual has the line that upgrades it: install, Upgrade.',
    );
  }
  if (kind === 'image') {
    throw new CliError(
      EXIT.refused,
      'image',
      'This program is part of an image. On the host, run: docker compose pull && docker compose up --detach',
    );
  }
  return { apt: ofDebian, npm: ofNpm, tarball: ofArchive }[kind](computer, spec);
}

function ofDebian(computer: Computer, spec: string | undefined): InstalledProgram {
  const install = (file: string) =>
    must(computer, 'apt-get', 'install', '--yes', '--quiet', '--allow-downgrades', '--reinstall', file);
  const folder = `${UPGRADE_FOLDER}/previous`;
  return {
    wayBack: `sudo dpkg --configure -a; sudo apt-get install --allow-downgrades ${OLD_PACKAGE}`,
    keep() {
      const file = existing(computer, spec, '.deb');
      // Reads it to its end: a file that is cut short ends here.
      must(computer, 'dpkg-deb', '--contents', file);
      const [theirs, ours] = [
        must(computer, 'dpkg-deb', '--field', file, 'Architecture'),
        must(computer, 'dpkg', '--print-architecture'),
      ];
      if (theirs !== ours) throw foreign(`${file} is for ${theirs}. This computer needs one for ${ours}.`);
      must(computer, 'rm', '-rf', folder, OLD_PACKAGE);
      must(computer, 'mkdir', '-p', `${folder}/DEBIAN`);
      // The package as it was installed: Debian keeps its files and scripts, and not the package.
      const files = must(computer, 'dpkg-query', '--listfiles', 'hearthd')
        .split('\n')
        // Small systems let dpkg leave out manual pages and documents (path-exclude), and list them all the same.
        .filter((path) => computer.exists(path) && !computer.isFolder(path));
      must(computer, 'cp', '-a', '--parents', '-t', folder, ...files);
      for (const name of must(computer, 'dpkg-query', '--control-list', 'hearthd').split('\n'))
        must(
          computer,
          'cp',
          must(computer, 'dpkg-query', '--control-path', 'hearthd', name),
          `${folder}/DEBIAN/${name}`,
        );
      const control = must(computer, 'dpkg-query', '--status', 'hearthd');
      computer.write(`${folder}/DEBIAN/control`, `${control.replace(/^Status: .*\n/m, '')}\n`);
      must(computer, 'dpkg-deb', '--root-owner-group', '-Znone', '--build', folder, OLD_PACKAGE);
      must(computer, 'rm', '-rf', folder);
    },
    put: () => install(existing(computer, spec, '.deb')),
    back() {
      // If dpkg was killed, apt refuses to go on before this. What can't be configured is replaced anyway.
      computer.run('dpkg', '--configure', '-a');
      install(OLD_PACKAGE);
    },
    forget: () => must(computer, 'rm', '-rf', folder, OLD_PACKAGE),
  };
}

function ofNpm(computer: Computer, spec = 'hearthd@latest'): InstalledProgram {
  const places = placesOf(computer.program);
  const prefix = resolve(dirname(computer.program), '../..');
  return {
    ...exchange(computer, places),
    keep() {
      must(computer, 'rm', '-rf', places.previous);
      must(computer, 'cp', '-a', computer.program, places.previous);
    },
    put: () => must(computer, 'npm', 'install', '--global', '--prefix', prefix, spec),
  };
}

function ofArchive(computer: Computer, spec: string | undefined): InstalledProgram {
  const { program } = computer;
  const places = placesOf(program);
  return {
    ...exchange(computer, places),
    keep() {
      must(computer, 'rm', '-rf', places.next, places.previous);
      must(computer, 'mkdir', '-p', places.next);
      must(computer, 'tar', '-xJf', existing(computer, spec, '.tar.xz'), '-C', places.next, '--strip-components=1');
      const node = join(places.next, 'runtime/node');
      if (computer.run(node, join(places.next, 'bin/hearthd.js'), '--version').status !== 0)
        throw foreign(
          `The program in ${spec} does not run here: it is for another processor, or damaged. This computer needs linux-${process.arch}.`,
        );
    },
    put() {
      must(computer, 'mv', '-T', program, places.previous);
      must(computer, 'mv', '-T', places.next, program);
    },
  };
}

interface Places {
  readonly program: string;
  readonly next: string;
  readonly previous: string;
  readonly failed: string;
}

/** Beside the program, so that each move is one step. npm leaves names with a dot alone. */
function placesOf(program: string): Places {
  const beside = (name: string) => join(dirname(program), `.${basename(program)}.${name}`);
  return { program, next: beside('next'), previous: beside('previous'), failed: beside('failed') };
}

function exchange(computer: Computer, places: Places): Pick<InstalledProgram, 'back' | 'forget' | 'wayBack'> {
  const { program, next, previous, failed } = places;
  return {
    wayBack: `sudo mv -T ${previous} ${program}`,
    back() {
      if (!computer.exists(previous)) return;
      must(computer, 'rm', '-rf', failed);
      if (computer.exists(program)) must(computer, 'mv', '-T', program, failed);
      must(computer, 'mv', '-T', previous, program);
      must(computer, 'rm', '-rf', failed);
    },
    forget: () => must(computer, 'rm', '-rf', next, previous, failed),
  };
}

function existing(computer: Computer, spec: string | undefined, ending: string): string {
  if (spec === undefined) throw usageError(`Pass the file of the new version: hearthd upgrade <file>${ending}`);
  const file = resolve(spec);
  if (!file.endsWith(ending))
    throw usageError(`This install is upgraded with a file that ends with ${ending}: ${spec} does not.`);
  if (!computer.exists(file)) throw new CliError(EXIT.notFound, 'no_file', `There is no file ${file}.`);
  return file;
}

const foreign = (sentence: string) => new CliError(EXIT.refused, 'other_processor', `${sentence} Nothing changed.`);

/** What tar, dpkg and npm write last, which explains nothing. */
const EMPTY_WORDS =
  /not recoverable|Exiting with failure|Child returned|subprocess returned|complete log of this run|^npm error$/;

/** @returns what the program wrote @throws `CliError` with the last line by which it explained its failure */
export function must(computer: Computer, program: string, ...args: readonly string[]): string {
  const { status, out, err } = computer.run(program, ...args);
  if (status === 0) return out;
  const lines = err.split('\n');
  const words = lines.findLast((line) => !EMPTY_WORDS.test(line)) ?? lines.at(-1);
  const reason = words || (status === null ? 'there is no such program' : `it ended with ${status}`);
  throw new CliError(EXIT.failed, 'upgrade', `${basename(program)} failed: ${reason}`);
}
