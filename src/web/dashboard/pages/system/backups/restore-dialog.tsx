/** Before a restore: what returns, what is lost, and what stays. */
import backupTexts from 'texts:backups';
import commonTexts from 'texts:common';
import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { useApiMutation } from '../../../api/query.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { ErrorNotice } from '../../../ui/page.tsx';
import classes from './backups-page.module.css';
import { type BackupRow, RestoreBackup } from './documents.ts';

interface Props {
  readonly backup: BackupRow;
  readonly onClose: () => void;
  readonly onBegun: () => void;
}

export function RestoreDialog({ backup, onClose, onBegun }: Props) {
  const common = useTexts(commonTexts);
  const t = useTexts(backupTexts).dialog;
  const format = useFormat();
  const restore = useApiMutation(RestoreBackup, { subjects: [] });
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password');
    try {
      await restore.mutateAsync({ name: backup.name, password: password === null ? null : String(password) });
      onBegun();
    } catch {
      // The error is shown above the form.
    }
  };
  return (
    <Modal opened onClose={onClose} title={t.title} centered closeButtonProps={{ 'aria-label': common.close }}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {restore.error && <ErrorNotice error={restore.error} />}
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
            <PasswordInput name="password" label={t.password} autoComplete="off" required data-autofocus />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" color="red.9" loading={restore.isPending}>
              {t.action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
