import { BackupPassword, OCTET_STREAM } from '../../rest/backups.ts';
import { arrayOf, flag, integer, object, oneOf, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Answer, Body, Resource } from '../operation.ts';

const NAME = 'relay-manual-20300131T120000Z.db';
const UNDO = 'relay-before-restore-20300131T121500Z.db';

const BACKUP = {
  name: NAME,
  kind: 'manual',
  bytes: 1_204_224,
  isEncrypted: false,
  schema: 9,
  fault: null,
  isSound: true,
  isOfThisRelay: true,
  hasYourAccount: true,
  contents: { homes: 1, rooms: 9, accessories: 42, scenes: 6, automations: 11, users: 3 },
  madeAt: '2030-01-31T12:00:00.000Z',
};

const NAMED = { name: 'The name of the backup.' };

const FILE: Answer = {
  description: 'The file.',
  type: OCTET_STREAM,
  schema: { type: 'string', format: 'binary' },
  headers: { 'Content-Disposition': 'What to call it. Without a password the name says that there are keys in it.' },
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
  schemas: {
    Backup: object({
      name: text(),
      kind: oneOf(['nightly', 'manual', 'before-upgrade', 'before-restore', 'uploaded']),
      bytes: integer(),
      isEncrypted: flag('A password is needed to restore it.'),
      schema: orNull(integer('The version of its database; `null` where that can’t be told.')),
      fault: orNull(
        oneOf(['damaged', 'foreign', 'altered', 'incomplete', 'newer', 'unreadable'], 'Why it can’t be restored.'),
      ),
      isSound: orNull(flag('`null` for an encrypted one: that is seen when it is restored.')),
      isOfThisRelay: orNull(flag('It is of this installation; `null` where that can’t be told.')),
      hasYourAccount: orNull(flag('The caller’s account is in it; `null` if that is unknown.')),
      contents: orNull(
        object({
          homes: integer(),
          rooms: integer(),
          accessories: integer(),
          scenes: integer(),
          automations: integer(),
          users: integer(),
        }),
      ),
      madeAt: time(),
    }),
    LastRestore: object({
      backup: text(),
      finishedAt: time(),
      outcome: oneOf(['restored', 'failed']),
      error: orNull(text('Why it failed; the home is then as it was.')),
      undo: orNull(text('The backup of the home as it was before.')),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/backups',
      id: 'listBackups',
      summary: 'The backups',
      audience: 'owner of every home',
      answer: { description: 'The backups, newest first.', schema: arrayOf(ref('Backup')), example: [BACKUP] },
    },
    {
      method: 'post',
      path: '/rest/backups',
      id: 'createBackup',
      summary: 'Make a backup now',
      description: 'It stays until it is deleted. Of those made by hand or uploaded there may be 20.',
      audience: 'owner of every home',
      answer: { description: 'The backup.', schema: ref('Backup'), example: BACKUP },
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
      answer: { description: 'The backup.', schema: ref('Backup'), example: { ...BACKUP, kind: 'uploaded' } },
    },
    {
      method: 'get',
      path: '/rest/backups/last-restore',
      id: 'lastRestore',
      summary: 'How the last restore went',
      audience: 'owner of every home',
      answer: {
        description: 'The last one since the daemon began; `null` if there was none.',
        schema: orNull(ref('LastRestore')),
        example: {
          backup: NAME,
          finishedAt: '2030-01-31T12:15:03.000Z',
          outcome: 'restored',
          error: null,
          undo: UNDO,
        },
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
        'Answers when everything is checked; then the relay restarts with it, in some seconds. Keys of devices, passwords, sessions and tokens stay as they are now; what was made or changed since is gone, and is kept as the undo. If the restored house does not start, the former one comes back by itself.',
      audience: 'owner of every home',
      pathParameters: NAMED,
      body: password('Of an encrypted one.', 'An encrypted one'),
      answer: {
        status: 202,
        description: 'The restart is about to begin.',
        schema: success({ name: text(), undo: text('The backup of the home as it is now, after the restart.') }),
        example: { success: true, name: NAME, undo: UNDO },
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
        schema: success({ name: text() }),
        example: { success: true, name: NAME },
      },
    },
  ],
};
