import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { locateDataDir } from '../../config/config.ts';
import type { Backup, LastRestore } from '../../contract/backups.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { CommandContext } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT, type ExitCode, usageError } from '../exit-codes.ts';
import { PASSWORD, stdinOption } from '../read-secret.ts';
import { didYouMean } from '../suggestions.ts';

/** A restart takes some seconds; a home with hundreds of devices on a small computer takes half a minute. */
const RESTART_MS = 90_000;
const LOOK_EVERY_MS = 500;

/** `hearthd restore <backup>`: restores a backup, through the running daemon or without one. */
export const restoreCommand = defineCommand({
  name: 'restore',
  description: 'restore a backup',
  arguments: [['<backup>', 'file, or name from hearthd backup list']],
  options: [stdinOption(PASSWORD)],
  notes: [
    'Changes since the backup are lost. The relay first saves them in another backup: restore that one to undo.',
    'Device keys, passwords, sessions and tokens stay as they are now. A running daemon restarts itself.',
  ],
  examples: ['hearthd restore relay-nightly-20300131T030000Z.db', 'hearthd restore /mnt/usb/hearthd.hearthd'],
  async run(context, backup, options) {
    const askPassword = once(() => readPassword(context, options.passwordStdin === true));
    const path = resolve(backup);
    const file = statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined;
    const { hasLogBeside } = await import('../../storage/backups/log-beside.ts');
    if (file !== undefined && hasLogBeside(file)) {
      const sentence = `${backup} is incomplete: it was copied while in use (-wal or -journal file beside it). Use hearthd backup instead.`;
      throw new CliError(EXIT.failed, 'conflict', sentence);
    }
    try {
      return await restoreInDaemon(context, { backup, file, askPassword });
    } catch (error) {
      if (!(error instanceof CliError && error.exitCode === EXIT.notRunning)) throw error;
      return await restoreHere(context, file ?? backup, askPassword);
    }
  },
});

interface Wanted {
  readonly backup: string;
  /** The path, if the argument is a file. */
  readonly file: string | undefined;
  readonly askPassword: () => Promise<string>;
}

async function restoreInDaemon({ api, output }: CommandContext, wanted: Wanted): Promise<ExitCode> {
  const { name, isEncrypted } = await find(api, wanted);
  const password = isEncrypted ? await wanted.askPassword() : undefined;
  const before = await api.get<LastRestore | null>('/rest/backups/last-restore');
  await api.send('POST', `/rest/backups/${name}/restore`, { password });
  output.note('The relay restarts …');
  const report = await untilBack(api, before);
  if (report.outcome === 'failed') {
    throw new CliError(
      EXIT.failed,
      'failed',
      `Nothing changed: ${report.error ?? 'the relay could not start with the backup.'}`,
    );
  }
  output.result(report, () => reportDone(output, name, report.undo));
  return EXIT.ok;
}

/** Finds the backup; uploads a file to the daemon first. */
async function find(api: ApiClient, { backup, file }: Wanted): Promise<Backup> {
  if (file !== undefined) return api.uploadFile<Backup>('/rest/backups/upload', file);
  const backups = await api.get<Backup[]>('/rest/backups');
  const found = backups.find(({ name }) => name === backup);
  if (found) return found;
  const names = backups.map(({ name }) => name);
  const help = didYouMean(backup ?? '', names, ' List backups with hearthd backup list.');
  throw new CliError(EXIT.notFound, 'not_found', `No backup or file "${backup}".${help}`);
}

async function untilBack(api: ApiClient, before: LastRestore | null): Promise<LastRestore> {
  const until = Date.now() + RESTART_MS;
  while (Date.now() < until) {
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    const last = await api.get<LastRestore | null>('/rest/backups/last-restore').catch(() => null);
    if (last && last.finishedAt !== before?.finishedAt) return last;
  }
  throw new CliError(EXIT.failed, 'no_answer', 'The relay has not restarted yet. See its log (journalctl -u hearthd).');
}

async function restoreHere(
  { flags, variables, output }: CommandContext,
  backup: string,
  password: () => Promise<string>,
): Promise<ExitCode> {
  const dataDir = locateDataDir(flags, variables, (path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
  // Loaded on demand: no other client command needs a database.
  const { restoreOffline } = await import('../../app/backup/restore-offline.ts');
  const undo = await restoreOffline({ dataDir, backup, password, clock: systemClock });
  output.result({ backup, undo, outcome: 'restored' }, () => {
    reportDone(output, backup, undo);
    output.note('The daemon is not running. It uses this backup at its next start.');
  });
  return EXIT.ok;
}

function reportDone(output: CommandContext['output'], backup: string, undo: string | null): void {
  output.line(`Restored ${backup}.`);
  if (undo !== null) output.note(`To undo it: hearthd restore ${undo}`);
}

async function readPassword({ output: { terminal } }: CommandContext, fromStdin: boolean): Promise<string> {
  if (!fromStdin && !terminal.canAsk) {
    throw usageError('This backup is encrypted. Pass its password on stdin with --password-stdin.');
  }
  const password = fromStdin ? await terminal.readLine() : await terminal.askSecret('Password', () => undefined);
  if (!password) throw usageError('No password entered. Nothing changed.');
  return password;
}

/** Prompts the user only once; stdin has only one first line. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}
