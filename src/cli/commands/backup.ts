import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Backup } from '../../contract/backups.ts';
import { writeFileOf } from '../../kernel/write-file-of.ts';
import { type Cli, examples } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { PASSWORD, readNewSecret, stdinOption } from '../read-secret.ts';

const BYTES_PER_KB = 1_000;
const KINDS: Readonly<Record<string, string>> = {
  nightly: 'nightly',
  manual: 'by hand',
  'before-upgrade': 'before an upgrade',
  'before-restore': 'before a restore',
  uploaded: 'uploaded',
};

/** `hearthd backup …`: creates, lists and deletes backups of the relay's essential data. */
export function backupCommand(cli: Cli): Command {
  const command = new Command('backup')
    .description('create, list or delete backups')
    .option('--to <file>', 'write to this file instead of the data directory')
    .option('--encrypt', 'with --to: encrypt with a password (prompts for it)')
    .option(...stdinOption(PASSWORD))
    .addHelpText(
      'after',
      [
        '',
        'An unencrypted backup contains the keys of every device. Anyone with the file can open every lock.',
        'The relay also makes one every night and keeps seven. Restore one with hearthd restore.',
        examples(
          'hearthd backup',
          'hearthd backup --to /mnt/usb/hearthd.hearthd --encrypt',
          'hearthd backup list',
          'hearthd backup delete relay-manual-20300131T120000Z.db',
        ),
      ].join('\n'),
    )
    .action(
      cli.run(async ({ api, output }, options: { to?: string; encrypt?: true; passwordStdin?: true }) => {
        const isSecret = options.encrypt === true || options.passwordStdin === true;
        if (isSecret && options.to === undefined) throw usageError('A password needs a file: add --to <file>.');
        const password = isSecret
          ? await readNewSecret(output.terminal, PASSWORD, options.passwordStdin === true)
          : undefined;
        const made = await api.send<Backup>('POST', '/rest/backups');
        if (options.to === undefined) {
          output.result(made, () => output.line(`Created ${made.name} (${sizeText(made.bytes)}).`));
          return EXIT.ok;
        }
        const file = resolve(options.to);
        try {
          await download(api, made.name, file, password);
        } finally {
          await api.send('DELETE', `/rest/backups/${made.name}`);
        }
        output.result({ file, encrypted: password !== undefined, bytes: made.bytes }, () => {
          output.line(`Wrote ${file}.`);
          if (password === undefined) output.note('It contains the keys of every device. Keep it private.');
        });
        return EXIT.ok;
      }),
    );
  command
    .command('list')
    .description('list the backups in the data directory')
    .action(
      cli.run(async ({ api, output }) => {
        const backups = await api.get<Backup[]>('/rest/backups');
        const rows = backups.map((backup) => [
          backup.name,
          output.when(backup.madeAt),
          KINDS[backup.kind] ?? backup.kind,
          sizeText(backup.bytes),
          backup.fault ?? (backup.isEncrypted ? 'encrypted' : 'sound'),
        ]);
        const head = ['Name', 'Made', 'How', 'Size', 'State'];
        output.result(backups, () => output.table(head, rows, 'No backups. Create one with hearthd backup.'));
        return EXIT.ok;
      }),
    );
  command
    .command('delete')
    .description('delete a backup')
    .argument('<name>', 'name from hearthd backup list')
    .action(
      cli.run(async ({ api, output }, name: string) => {
        const answer = await api.send('DELETE', `/rest/backups/${encodeURIComponent(name)}`);
        output.result(answer, () => output.line(`Deleted ${name}.`));
        return EXIT.ok;
      }),
    );
  return command;
}

/** Never overwrites a file; the new file is private to the user, and complete or absent. */
async function download(api: ApiClient, name: string, file: string, password?: string): Promise<void> {
  const content = await api.openFile('POST', `/rest/backups/${name}/download`, { password });
  try {
    await writeFileOf(file, content);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') rmSync(file, { force: true });
    const why = code === 'EEXIST' ? 'the file already exists' : message;
    throw new CliError(EXIT.failed, 'failed', `Cannot write ${file}: ${why}.`, { cause: error });
  }
}

function sizeText(bytes: number): string {
  return `${Math.ceil(bytes / BYTES_PER_KB)} kB`;
}
