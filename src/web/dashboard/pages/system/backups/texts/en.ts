import { pluralIn } from '../../../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  lead: 'The relay backs up everything every night and keeps the last seven backups. Here you can create, download and restore backups.',
  create: 'Back up now',
  created: 'Backup created',
  upload: 'Upload',
  uploading: (percent: string) => `Uploading … ${percent}`,
  uploaded: 'Backup uploaded',
  list: 'Backups',
  emptyTitle: 'No backups yet',
  empty: 'The first one is created tonight. You can also create one now.',
  kinds: {
    nightly: 'Automatic',
    manual: 'Manual',
    'before-upgrade': 'Before an update',
    'before-restore': 'Before a restore (use it to undo)',
    uploaded: 'Uploaded',
  } as Readonly<Record<string, string>>,
  faults: {
    damaged: 'Damaged: can’t be restored',
    foreign: 'Not a hearthd backup: can’t be restored',
    altered: 'Modified: can’t be restored',
    incomplete: 'Incomplete, copied while in use: can’t be restored',
    unreadable: 'Can’t be read: check its permissions and the disk',
    newer: 'From a newer version: update first',
  } as Readonly<Record<string, string>>,
  encrypted: 'Encrypted',
  otherRelay: 'From another relay',
  rooms: (count: number) => plural(count, { one: '# room', other: '# rooms' }),
  scenes: (count: number) => plural(count, { one: '# scene', other: '# scenes' }),
  automations: (count: number) => plural(count, { one: '# automation', other: '# automations' }),
  restore: 'Restore',
  restoreOf: (when: string) => `Restore the backup of ${when}`,
  downloadOf: (when: string) => `Download the backup of ${when}`,
  deleteOf: (when: string) => `Delete the backup of ${when}`,
  deleteQuestion: 'Delete this backup?',
  deleteBody: (when: string) =>
    `The backup of ${when} will be deleted. This can’t be undone. Your home is not affected.`,
  deleteAction: 'Delete backup',
  deleted: 'Backup deleted',
  download: {
    title: 'Download backup',
    encrypt: 'Encrypt with a password (recommended)',
    password: 'Password for the file',
    passwordHelp: 'At least 8 characters. Without the password, no one can open the file, not even you.',
    plainWarning:
      'Without a password, the file contains the keys of every device in plain form. Anyone who has it can open your locks.',
    encryptedAlready: 'This backup is already encrypted. It keeps its password.',
    action: 'Download',
  },
  dialog: {
    title: 'Restore this backup?',
    of: (when: string) => `Your home is restored to ${when}.`,
    back: 'Homes, rooms, names, scenes, automations, members and shares are restored as they were then.',
    members:
      'People who were members then become members again, even if you have removed them since. Review the members afterwards.',
    lost: 'Changes made since then are lost. The current state is saved as a backup, so you can undo this.',
    kept: 'Devices stay paired, including those paired since. Passwords, sessions and access tokens don’t change.',
    pause: 'The relay restarts. For a few seconds, you can’t control anything from here.',
    noAccount:
      'Your account did not exist then. You will be signed out, and need an account from that time to sign in.',
    otherRelay:
      'This backup is from another relay. Everyone is signed out and needs an account from that relay to sign in.',
    password: 'Password of the backup',
    action: 'Restore and restart',
  },
  restarting: {
    title: 'Restarting the relay',
    text: 'The backup is being restored. This page continues automatically when the relay is back.',
    slow: 'This is taking longer than usual. If the backup can’t be used, the previous state is restored automatically.',
  },
  last: {
    restored: (when: string) => `Restored ${when}.`,
    undo: 'Undo the restore',
    failed: (why: string) => `The restore failed. Nothing was changed. ${why}`,
  },
};
