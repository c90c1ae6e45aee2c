/** Before a download: whether the backup is encrypted, and with which password. */
import backupTexts from 'texts:backups';
import commonTexts from 'texts:common';
import { Button, Checkbox, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { ErrorNotice } from '../../../ui/page.tsx';
import classes from './backups-page.module.css';
import type { BackupRow } from './documents.ts';
import { downloadBackup } from './transfer.ts';

const MIN_PASSWORD = 8;

export function DownloadDialog({ backup, onClose }: { readonly backup: BackupRow; readonly onClose: () => void }) {
  const common = useTexts(commonTexts);
  const t = useTexts(backupTexts).download;
  const [isEncrypted, setEncrypted] = useState(true);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const asks = !backup.isEncrypted && isEncrypted;
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const password = asks ? String(new FormData(event.currentTarget).get('password')) : '';
    setBusy(true);
    setError(undefined);
    try {
      await downloadBackup(backup.name, password);
      onClose();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t.title} centered closeButtonProps={{ 'aria-label': common.close }}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {error !== undefined && <ErrorNotice error={error} />}
          {backup.isEncrypted ? (
            <Text mt={2}>{t.encryptedAlready}</Text>
          ) : (
            <Checkbox
              label={t.encrypt}
              checked={isEncrypted}
              onChange={({ currentTarget }) => setEncrypted(currentTarget.checked)}
            />
          )}
          {asks && (
            <PasswordInput
              name="password"
              label={t.password}
              description={t.passwordHelp}
              minLength={MIN_PASSWORD}
              autoComplete="new-password"
              required
              data-autofocus
            />
          )}
          {!backup.isEncrypted && !isEncrypted && <p className={classes.warning}>{t.plainWarning}</p>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t.action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
