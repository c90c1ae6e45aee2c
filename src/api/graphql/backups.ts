/**
 * Backups of the whole home. A backup contains the keys of every accessory. So only signed-in users who own every home,
 * and the system, may use them; tokens and apps never. REST transfers the files themselves (`/rest/backups/…`).
 */
import { Backup, BackupContents, LastRestore } from '../../contract/backups.ts';
import { presentBackup, presentRestore } from '../present/backup.ts';
import { builder, LIST } from './builder.ts';
import { fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

const Contents = builder.objectRef<BackupContents>('BackupContents').implement({
  description: 'How much is in a backup.',
  fields: (t) => fieldsOf(t, BackupContents),
});

const BackupInfo = builder.objectRef<Backup>('Backup').implement({
  description:
    'A copy of everything that the relay must not lose. Downloaded as it is, it contains the keys of all devices.',
  fields: (t) => ({
    ...fieldsOf(t, Backup),
    contents: t.expose('contents', { type: Contents, description: 'What is in it; null if unknown.' }),
  }),
});

const LastRestoreInfo = builder.objectRef<LastRestore>('LastRestore').implement({
  description: 'The result of the last restore.',
  fields: (t) => fieldsOf(t, LastRestore),
});

const CreateBackupResult = builder.objectRef<ActionResult & { backup: Backup | null }>('CreateBackupResult').implement({
  description: 'A new backup.',
  interfaces: [MutationResult],
  fields: (t) => ({ backup: t.expose('backup', { type: BackupInfo, description: 'How it will be listed.' }) }),
});

const DeleteBackupResult = builder.objectRef<ActionResult>('DeleteBackupResult').implement({
  description: 'Whether a backup was deleted.',
  interfaces: [MutationResult],
});

const RestoreBackupResult = builder.objectRef<ActionResult & { undo: string | null }>('RestoreBackupResult').implement({
  description:
    'Whether a restore has begun: the relay restarts with it in a moment, and `lastRestore` then has the result.',
  interfaces: [MutationResult],
  fields: (t) => ({
    undo: t.exposeString('undo', { description: 'The backup of the home as it is now, once the restart is over.' }),
  }),
});

builder.queryFields((t) => ({
  backups: t.field({
    type: [BackupInfo],
    nullable: LIST,
    description: 'The backups, newest first. For people who own every home and are signed in.',
    resolve: async (_, __, { caller, deps }) => (await deps.backups.list(caller)).map(presentBackup),
  }),
  lastRestore: t.field({
    type: LastRestoreInfo,
    description: 'How the last restore since the daemon began went; null if there was none. For the same.',
    resolve: (_, __, { caller, deps }) => presentRestore(deps.backups.lastRestore(caller)),
  }),
}));

builder.mutationFields((t) => ({
  createBackup: t.field({
    type: CreateBackupResult,
    description: 'Makes a backup that stays until it is deleted; of those there may be 20. For the same.',
    resolve: (_, __, { caller, deps }) =>
      reportOutcome<{ backup: Backup | null }, { backup: Backup | null }>(
        () => ({ backup: presentBackup(deps.backups.create(caller)) }),
        { backup: null },
      ),
  }),
  deleteBackup: t.field({
    type: DeleteBackupResult,
    description: 'Deletes a backup for good. For the same.',
    args: { name: t.arg.string({ required: true }) },
    resolve: (_, { name }, { caller, deps }) =>
      reportOutcome(() => {
        deps.backups.delete(caller, name);
        return {};
      }, {}),
  }),
  restoreBackup: t.field({
    type: RestoreBackupResult,
    description:
      'Replaces the home with that of a backup and restarts the relay. Keys of devices and who may come in stay as they are. For the same.',
    args: {
      name: t.arg.string({ required: true }),
      password: t.arg.string({ description: 'Of an encrypted one.' }),
    },
    resolve: (_, { name, password }, { caller, deps }) =>
      reportOutcome<{ undo: string | null }, { undo: string | null }>(
        () => deps.backups.restore(caller, name, password),
        { undo: null },
      ),
  }),
}));
