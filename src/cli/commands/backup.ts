import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Backup } from '../../contract/backups.ts';
import { writeFileOf } from '../../kernel/write-file-of.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { PASSWORD, readNewSecret, stdinOption } from '../read-secret.ts';
import { list, type ResourceRow, remove } from '../resource-commands.ts';

const BACKUPS = '/rest/backups';
const BYTES_PER_KB = 1_000;
const KINDS: Readonly<Record<string, string>> = {
  nightly: 'nightly',
  manual: 'by hand',
  'before-upgrade': 'before an upgrade',
  'before-restore': 'before a restore',
  uploaded: 'uploaded',
};

/** A backup by its name; the daemon checks it. */
const BACKUP: ResourceRow<string> = {
  argument: ['<name>', 'name from hearthd backup list'],
  find: async (_api, name) => name,
  path: (name) => `${BACKUPS}/${encodeURIComponent(name)}`,
};

/** `hearthd backup …`: creates, lists and deletes backups of the relay's essential data. */
export const backupCommand = defineCommand({
  name: 'backup',
  description: 'create, list or delete backups',
  options: [
    ['--to <file>', 'write to this file instead of the data directory'],
    ['--encrypt', 'with --to: encrypt with a password (prompts for it)'],
    stdinOption(PASSWORD),
  ],
  notes: [
    'An unencrypted backup contains the keys of every device. Anyone with the file can open every lock.',
    'The relay also makes one every night and keeps seven. Restore one with hearthd restore.',
  ],
  examples: [
    'hearthd backup',
    'hearthd backup --to /mnt/usb/hearthd.hearthd --encrypt',
    'hearthd backup list',
    'hearthd backup delete relay-manual-20300131T120000Z.db',
  ],
  async run({ api, output }, { to, encrypt, passwordStdin }) {
    const isSecret = encrypt === true || passwordStdin === true;
    if (isSecret && to === undefined) throw usageError('A password needs a file: add --to <file>.');
    const password = isSecret ? await readNewSecret(output.terminal, PASSWORD, passwordStdin === true) : undefined;
    const made = await api.send<Backup>('POST', BACKUPS);
    if (to === undefined) return output.done(made, `Created ${made.name} (${sizeText(made.bytes)}).`);
    const file = resolve(to);
    try {
      await download(api, made.name, file, password);
    } finally {
      await api.send('DELETE', `${BACKUPS}/${made.name}`);
    }
    output.result({ file, encrypted: password !== undefined, bytes: made.bytes }, () => {
      output.line(`Wrote ${file}.`);
      if (password === undefined) output.note('It contains the keys of every device. Keep it private.');
    });
  },
  commands: [
    list({
      description: 'list the backups in the data directory',
      load: (api) => api.get<Backup[]>(BACKUPS),
      columns: (backup, output) => ({
        Name: backup.name,
        Made: output.when(backup.madeAt),
        How: KINDS[backup.kind] ?? backup.kind,
        Size: sizeText(backup.bytes),
        State: backup.fault ?? (backup.isEncrypted ? 'encrypted' : 'sound'),
      }),
      empty: 'No backups. Create one with hearthd backup.',
    }),
    remove(BACKUP, { description: 'delete a backup', done: (name) => `Deleted ${name}.` }),
  ],
});

/** Never overwrites a file; the new file is private to the user, and complete or absent. */
async function download(api: ApiClient, name: string, file: string, password?: string): Promise<void> {
  const content = await api.openFile('POST', `${BACKUPS}/${name}/download`, { password });
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
