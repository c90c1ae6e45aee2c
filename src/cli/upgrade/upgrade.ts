/**
 * An upgrade: backup, exchange, restart, wait until the new version is ready, else back. What has begun stands in a
 * file, so that an upgrade that was cut off anywhere can be taken back.
 */
import { join } from 'node:path';
import { messageOf } from '../../kernel/errors.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Computer } from '../service/computer.ts';
import { type InstalledProgram, installedProgram, must, UPGRADE_FOLDER } from './installed-program.ts';

/** How long the new version may take: a home with hundreds of devices takes half of it on a small computer. */
const READY_MS = 60_000;
const LOOK_EVERY_MS = 500;
const BEGUN = `${UPGRADE_FOLDER}/upgrade.json`;
const USER = 'hearthd';

export interface UpgradeDeps {
  readonly computer: Computer;
  readonly dataDir: string;
  /** @returns its name */
  makeBackup(): Promise<string>;
  /** The version of the daemon that runs; `null` if none answers. */
  runningVersion(): Promise<string | null>;
  now(): number;
  wait(ms: number): Promise<void>;
  /** Each step, for people. */
  report(sentence: string): void;
}

export interface Upgraded {
  readonly from: string;
  readonly to: string;
  readonly backup: string;
}

interface Begun {
  readonly from: string;
}

/** @throws `CliError` it did not happen, or the old version is back */
export async function upgrade(deps: UpgradeDeps, spec: string | undefined): Promise<Upgraded> {
  const { computer, report } = deps;
  requireRoot(computer);
  const begun = readBegun(computer);
  if (begun)
    throw refused(
      'interrupted',
      `An upgrade from ${begun.from} was interrupted. Go back with: sudo hearthd upgrade --back`,
    );
  if (!computer.exists('/run/systemd/system'))
    throw refused(
      'no_systemd',
      'This computer does not run systemd. Upgrade as the manual describes: install, Upgrade.',
    );
  const program = installedProgram(computer, spec);
  const from = versionOf(computer);
  report('Making a backup');
  const backup = await deps.makeBackup();
  report(`Keeping version ${from}`);
  try {
    program.keep();
  } catch (error) {
    program.forget();
    throw error;
  }
  computer.write(BEGUN, `${JSON.stringify({ from } satisfies Begun)}\n`);
  report(`Exchanging the program. If this is cut off and hearthd is missing: ${program.wayBack}`);
  let to = from;
  try {
    program.put();
    to = versionOf(computer);
    report(`Starting version ${to}`);
    must(computer, 'systemctl', 'daemon-reload');
    must(computer, 'systemctl', 'restart', 'hearthd.service');
    await untilReady(deps, to);
  } catch (error) {
    const reason = messageOf(error);
    report(`${reason} Going back to version ${from}`);
    await putBack(deps, program).catch((second: unknown) => {
      throw new CliError(
        EXIT.failed,
        'not_back',
        `The upgrade failed: ${reason} Going back failed too: ${messageOf(second)} Try again with: sudo hearthd upgrade --back. The backup before the upgrade is ${backup}.`,
      );
    });
    throw new CliError(EXIT.failed, 'went_back', `Version ${from} runs again. The upgrade failed: ${reason}`);
  }
  computer.remove(BEGUN);
  program.forget();
  return { from, to, backup };
}

/** Takes back an upgrade that was interrupted. @returns the version that runs again @throws `CliError` */
export async function goBack(deps: UpgradeDeps): Promise<string> {
  requireRoot(deps.computer);
  const begun = readBegun(deps.computer);
  if (!begun) throw new CliError(EXIT.notFound, 'not_interrupted', 'No upgrade was interrupted. Nothing changed.');
  return putBack(deps, installedProgram(deps.computer, undefined));
}

/** @returns the version that runs again */
async function putBack(deps: UpgradeDeps, program: InstalledProgram): Promise<string> {
  const { computer, dataDir } = deps;
  computer.run('systemctl', 'stop', 'hearthd.service');
  program.back();
  // The new version copied the database before it changed it. The older one would refuse what it became.
  const copies = must(computer, 'find', join(dataDir, 'backups'), '-name', 'relay-schema-*.db', '-newer', BEGUN);
  const copy = copies.split('\n').sort((one, other) => schemaOf(one) - schemaOf(other))[0];
  if (copy) {
    // As its user: root does not write where someone else could put a link.
    const asUser = (...words: readonly string[]) => must(computer, 'runuser', '-u', USER, '--', ...words);
    const database = join(dataDir, 'relay.db');
    asUser('cp', copy, `${database}.back`);
    asUser('rm', '-f', `${database}-wal`, `${database}-shm`);
    asUser('mv', `${database}.back`, database);
  }
  must(computer, 'systemctl', 'daemon-reload');
  must(computer, 'systemctl', 'restart', 'hearthd.service');
  const version = versionOf(computer);
  await untilReady(deps, version);
  computer.remove(BEGUN);
  program.forget();
  return version;
}

async function untilReady({ now, wait, runningVersion }: UpgradeDeps, version: string): Promise<void> {
  const until = now() + READY_MS;
  while (now() < until) {
    if ((await runningVersion()) === version) return;
    await wait(LOOK_EVERY_MS);
  }
  throw new CliError(
    EXIT.failed,
    'not_ready',
    `Version ${version} was not ready within ${READY_MS / 1_000} s (journalctl -u hearthd has its reason).`,
  );
}

function versionOf(computer: Computer): string {
  const text = computer.read(join(computer.program, 'package.json'));
  if (text === undefined) throw new CliError(EXIT.failed, 'upgrade', `${computer.program} has no package.json.`);
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** That the file is there is what counts: a power cut may have left it empty. */
function readBegun(computer: Computer): Begun | undefined {
  const text = computer.read(BEGUN);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Begun;
  } catch {
    return { from: 'the version before' };
  }
}

const schemaOf = (path: string) => Number(/relay-schema-(\d+)\.db$/.exec(path)?.[1] ?? Number.POSITIVE_INFINITY);

function requireRoot(computer: Computer): void {
  if (!computer.isRoot) throw refused('not_root', 'Only root can upgrade. Run it with sudo.');
}

const refused = (code: string, message: string) => new CliError(EXIT.refused, code, message);
