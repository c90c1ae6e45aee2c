/** Before a download: whether the backup is encrypted, and with which password. */
import backupTexts from 'texts:backups';
import { Checkbox, PasswordInput, Text } from '@mantine/core';
import { useTexts } from '../../../texts/texts.ts';
import { EntityDialog } from '../../../ui/entity-dialog.tsx';
import classes from './backups-page.module.css';
import type { BackupRow } from './documents.ts';
import { downloadBackup } from './transfer.ts';

const MIN_PASSWORD = 8;

export function DownloadDialog({ backup, onClose }: { readonly backup: BackupRow; readonly onClose: () => void }) {
  const t = useTexts(backupTexts).download;
  return (
    <EntityDialog
      title={t.title}
      action={t.action}
      initialValues={{ encrypts: true, password: '' }}
      subjects={[]}
      onSubmit={async ({ encrypts, password }) => {
        await downloadBackup(backup.name, !backup.isEncrypted && encrypts ? password : '');
      }}
      onClose={onClose}
    >
      {(form) => {
        if (backup.isEncrypted) return <Text mt={2}>{t.encryptedAlready}</Text>;
        return (
          <>
            <Checkbox label={t.encrypt} {...form.getInputProps('encrypts', { type: 'checkbox' })} />
            {form.values.encrypts ? (
              <PasswordInput
                label={t.password}
                description={t.passwordHelp}
                minLength={MIN_PASSWORD}
                autoComplete="new-password"
                required
                data-autofocus
                {...form.getInputProps('password')}
              />
            ) : (
              <p className={classes.warning}>{t.plainWarning}</p>
            )}
          </>
        );
      }}
    </EntityDialog>
  );
}
