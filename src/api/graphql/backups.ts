/**
 * Backups of the whole home. A backup contains the keys of every accessory. So only signed-in users who own every home,
 * and the system, may use them; tokens and apps never. REST transfers the files themselves (`/rest/backups/…`).
 */
import type { Backup as Stored } from '../../app/backup/backups.ts';
import type { RestoreReport } from '../../app/backup/restorer.ts';
import { presentTime } from '../present/time.ts';
import { builder, LIST } from './builder.ts';
import { MutationResult, type Outcome, reportOutcome } from './result.ts';

type Contents = NonNullable<Stored['contents']>;

const BackupContents = builder.objectRef<Contents>('BackupContents').implement({
  description: 'How much is in a backup.',
  fields: (t) => ({
    homes: t.exposeInt('homes', { nullable: false, description: 'How many homes.' }),
    rooms: t.exposeInt('rooms', { nullable: false, description: 'How many rooms.' }),
    accessories: t.exposeInt('accessories', { nullable: false, description: 'How many accessories.' }),
    scenes: t.exposeInt('scenes', { nullable: false, description: 'How many scenes.' }),
    automations: t.exposeInt('automations', { nullable: false, description: 'How many automations of both shapes.' }),
    users: t.exposeInt('users', { nullable: false, description: 'How many accounts.' }),
  }),
});

const Backup = builder.objectRef<Stored>('Backup').implement({
  description:
    'A copy of everything that the relay must not lose. Downloaded as it is, it contains the keys of all devices.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'What it is called; unique.' }),
    kind: t.exposeString('kind', {
      nullable: false,
      description: '`nightly`, `manual`, `before-upgrade`, `before-restore` or `uploaded`.',
    }),
    madeAt: t.string({
      nullable: false,
      description: 'When it was made, ISO 8601.',
      resolve: ({ madeAt }) => presentTime(madeAt),
    }),
    bytes: t.exposeInt('bytes', { nullable: false, description: 'Its size.' }),
    isEncrypted: t.exposeBoolean('isEncrypted', {
      nullable: false,
      description: 'Whether a password is needed to restore it.',
    }),
    schema: t.exposeInt('schema', { description: 'The version of its database; null where that can’t be told.' }),
    isSound: t.exposeBoolean('isSound', {
      description: 'Whether it can be restored; null for an encrypted one, of which that is seen then.',
    }),
    fault: t.exposeString('fault', {
      description: '`damaged`, `foreign`, `altered`, `incomplete`, `newer` or `unreadable` where it is not sound.',
    }),
    isOfThisRelay: t.exposeBoolean('isOfThisRelay', {
      description: 'Whether it is of this installation; null where that can’t be told.',
    }),
    hasYourAccount: t.exposeBoolean('hasYourAccount', {
      description: 'Whether the caller’s account is in it; null where that can’t be told.',
    }),
    contents: t.expose('contents', {
      type: BackupContents,
      description: 'What is in it; null where that can’t be told.',
    }),
  }),
});

const LastRestore = builder.objectRef<RestoreReport>('LastRestore').implement({
  description: 'How the last restore went.',
  fields: (t) => ({
    backup: t.exposeString('backup', { nullable: false, description: 'The name of the backup.' }),
    finishedAt: t.string({
      nullable: false,
      description: 'When the home was back, ISO 8601.',
      resolve: ({ finishedAt }) => presentTime(finishedAt),
    }),
    outcome: t.exposeString('outcome', { nullable: false, description: '`restored`, or `failed`: all is as it was.' }),
    error: t.exposeString('error', { description: 'Why it failed.' }),
    undo: t.exposeString('undo', { description: 'The backup of the home as it was before.' }),
  }),
});

const CreateBackupResult = builder.objectRef<Outcome & { backup: Stored | null }>('CreateBackupResult').implement({
  description: 'A new backup.',
  interfaces: [MutationResult],
  fields: (t) => ({ backup: t.expose('backup', { type: Backup, description: 'How it will be listed.' }) }),
});

const DeleteBackupResult = builder.objectRef<Outcome>('DeleteBackupResult').implement({
  description: 'Whether a backup was deleted.',
  interfaces: [MutationResult],
});

const RestoreBackupResult = builder.objectRef<Outcome & { undo: string | null }>('RestoreBackupResult').implement({
  description:
    'Whether a restore has begun: the relay restarts with it in a moment, and `lastRestore` tells then how it went.',
  interfaces: [MutationResult],
  fields: (t) => ({
    undo: t.exposeString('undo', { description: 'The backup of the home as it is now, once the restart is over.' }),
  }),
});

builder.queryFields((t) => ({
  backups: t.field({
    type: [Backup],
    nullable: LIST,
    description: 'The backups, newest first. For people who own every home and are signed in.',
    resolve: (_, __, { caller, deps }) => deps.backups.list(caller),
  }),
  lastRestore: t.field({
    type: LastRestore,
    description: 'How the last restore since the daemon began went; null if there was none. For the same.',
    resolve: (_, __, { caller, deps }) => deps.backups.lastRestore(caller),
  }),
}));

builder.mutationFields((t) => ({
  createBackup: t.field({
    type: CreateBackupResult,
    description: 'Makes a backup that stays until it is deleted; of those there may be 20. For the same.',
    resolve: (_, __, { caller, deps }) =>
      reportOutcome<{ backup: Stored | null }, { backup: Stored | null }>(
        () => ({ backup: deps.backups.create(caller) }),
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
