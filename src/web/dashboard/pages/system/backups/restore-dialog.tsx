/** Before a restore: what returns, what is lost, and what stays. */
import backupTexts from 'texts:backups';
import { PasswordInput, Stack, Text } from '@mantine/core';
import { act } from '../../../api/client.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { EntityDialog } from '../../../ui/entity-dialog.tsx';
import classes from './backups-page.module.css';
import { type BackupRow, RestoreBackup } from './documents.ts';

interface Props {
  readonly backup: BackupRow;
  readonly onClose: () => void;
  readonly onBegun: () => void;
}

export function RestoreDialog({ backup, onClose, onBegun }: Props) {
  const t = useTexts(backupTexts).dialog;
  const format = useFormat();
  const restore = async ({ password }: { readonly password: string }) => {
    await act(RestoreBackup, { name: backup.name, password: backup.isEncrypted ? password : null });
    onBegun();
    return 'stay';
  };
  return (
    <EntityDialog
      title={t.title}
      action={t.action}
      isDangerous
      initialValues={{ password: '' }}
      subjects={[]}
      onSubmit={restore}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Text mt={2}>
            <strong>{t.of({ when: format.dateTime(backup.madeAt) })}</strong>
          </Text>
          <Stack component="ul" gap={8} m={0} pl={20}>
            <li>{t.back}</li>
            <li>{t.members}</li>
            <li>{t.lost}</li>
            {backup.isOfThisRelay !== false && <li>{t.kept}</li>}
            <li>{t.pause}</li>
          </Stack>
          {backup.isOfThisRelay === false && <p className={classes.warning}>{t.otherRelay}</p>}
          {backup.isOfThisRelay !== false && backup.hasYourAccount === false && (
            <p className={classes.warning}>{t.noAccount}</p>
          )}
          {backup.isEncrypted && (
            <PasswordInput
              label={t.password}
              autoComplete="off"
              required
              data-autofocus
              {...form.getInputProps('password')}
            />
          )}
        </>
      )}
    </EntityDialog>
  );
}
