import { z } from 'zod';
import { Backup, BackupPassword, BegunRestore, DeletedBackup, LastRestore } from '../../../contract/backups.ts';
import { OCTET_STREAM } from '../../rest/backups.ts';
import type { Body, OperationAnswer, Resource } from '../operation.ts';

const NAMED = { name: 'The name of the backup.' };

const FILE: OperationAnswer = {
  description: 'The file.',
  type: OCTET_STREAM,
  schema: { type: 'string', format: 'binary' },
  headers: { 'Content-Disposition': 'What to call it. Without a password the name warns that it contains keys.' },
};

const password = (meaning: string, example: string): Body => ({
  schema: BackupPassword,
  fields: { password: meaning },
  optional: true,
  examples: { [example]: { password: 'correct horse battery staple' }, 'As it is': {} },
});

export const backups: Resource = {
  tag: 'Backups',
  description:
    'The whole home as a file, with the keys of every device. For the command line, and people who own every home of the relay and are signed in; tokens and apps never.',
  operations: [
    {
      method: 'get',
      path: '/rest/backups',
      id: 'listBackups',
      summary: 'The backups',
      audience: 'owner of every home',
      answer: { description: 'The backups, newest first.', schema: z.array(Backup) },
    },
    {
      method: 'post',
      path: '/rest/backups',
      id: 'createBackup',
      summary: 'Make a backup now',
      description: 'It stays until it is deleted. Of those made by hand or uploaded there may be 20.',
      audience: 'owner of every home',
      answer: { description: 'The backup.', schema: Backup },
      errors: [422],
    },
    {
      method: 'post',
      path: '/rest/backups/upload',
      id: 'uploadBackup',
      summary: 'Take in a backup from elsewhere',
      description:
        'The body is a file that was downloaded, as `application/octet-stream`, of 256 MB at most. One that is damaged, altered, of another program or of a newer version is refused; an encrypted one is looked into when it is restored.',
      audience: 'owner of every home',
      body: { type: OCTET_STREAM, schema: { type: 'string', format: 'binary' }, examples: {} },
      answer: { description: 'The backup.', schema: Backup },
    },
    {
      method: 'get',
      path: '/rest/backups/last-restore',
      id: 'lastRestore',
      summary: 'How the last restore went',
      audience: 'owner of every home',
      answer: {
        description: 'The last one since the daemon began; `null` if there was none.',
        schema: LastRestore.nullable(),
      },
    },
    {
      method: 'get',
      path: '/rest/backups/:name',
      id: 'readBackup',
      summary: 'Download a backup as it is',
      audience: 'owner of every home',
      pathParameters: NAMED,
      answer: FILE,
    },
    {
      method: 'post',
      path: '/rest/backups/:name/download',
      id: 'downloadBackup',
      summary: 'Download a backup, encrypted with a password',
      description:
        'AES-256-GCM with a key by scrypt. What is encrypted already is downloaded as it is. It can’t be restored without the password.',
      audience: 'owner of every home',
      pathParameters: NAMED,
      body: password('8 characters at least. Left out: the file as it is.', 'Encrypted'),
      answer: FILE,
    },
    {
      method: 'post',
      path: '/rest/backups/:name/restore',
      id: 'restoreBackup',
      summary: 'Restore a backup',
      description:
        'Answers when everything is checked; then the relay restarts with it, in some seconds. Keys of devices, passwords, sessions and tokens stay as they are now; what was made or changed since is gone, and is kept as the undo. If the restored home does not start, the former one comes back by itself.',
      audience: 'owner of every home',
      pathParameters: NAMED,
      body: password('Of an encrypted one.', 'An encrypted one'),
      answer: {
        status: 202,
        description: 'The restart is about to begin.',
        schema: BegunRestore,
      },
    },
    {
      method: 'delete',
      path: '/rest/backups/:name',
      id: 'deleteBackup',
      summary: 'Delete a backup',
      audience: 'owner of every home',
      pathParameters: NAMED,
      answer: {
        description: 'It is gone for good.',
        schema: DeletedBackup,
      },
    },
  ],
};
