/** Backups of the whole relay. Without a password they contain the keys of all devices. */
import { z } from 'zod';
import { flag, integer, success, text, time, word } from './fields.ts';
import type { Output } from './parse.ts';

const NAME = text('Its name, unique.', 'relay-manual-20300131T120000Z.db');
const UNDO = 'relay-before-restore-20300131T121500Z.db';

/** A password belongs in a body, never in a URL: logs and histories contain URLs. */
export const BackupPassword = z.strictObject({ password: text('8 characters at least.').nullish() });

export const BackupContents = z.object({
  homes: integer('How many homes.', 1),
  rooms: integer('How many rooms.', 9),
  accessories: integer('How many accessories.', 42),
  scenes: integer('How many scenes.', 6),
  automations: integer('How many automations of both shapes.', 11),
  users: integer('How many accounts.', 3),
});
export type BackupContents = Output<typeof BackupContents>;

export const Backup = z
  .object({
    name: NAME,
    kind: word(['manual', 'nightly', 'before-upgrade', 'before-restore', 'uploaded']),
    bytes: integer('Its size.', 1_204_224),
    isEncrypted: flag('Whether a password is needed to restore it.'),
    schema: integer('The version of its database; null if unknown.').nullable(),
    fault: word(
      ['damaged', 'foreign', 'altered', 'incomplete', 'newer', 'unreadable'],
      'Why it can’t be restored.',
    ).nullable(),
    isSound: flag('Whether it can be restored; null for an encrypted one: a restore checks it.', true).nullable(),
    isOfThisRelay: flag('Whether this installation made it; null if unknown.', true).nullable(),
    hasYourAccount: flag('Whether the caller’s account is in it; null if unknown.', true).nullable(),
    contents: BackupContents.nullable(),
    madeAt: time('When it was made.'),
  })
  .meta({ id: 'Backup' });
export type Backup = Output<typeof Backup>;

export const LastRestore = z
  .object({
    backup: NAME,
    finishedAt: time('When the relay was back.', '2030-01-31T12:15:03.000Z'),
    outcome: word(['restored', 'failed'], '`failed`: everything is as it was before.'),
    error: text('Why it failed.').nullable(),
    undo: text('The backup of the relay as it was before.', UNDO).nullable(),
  })
  .meta({ id: 'LastRestore' });
export type LastRestore = Output<typeof LastRestore>;

export const BegunRestore = success({ name: NAME, undo: text('The backup of the relay as it is now.', UNDO) });
export const DeletedBackup = success({ name: NAME });
