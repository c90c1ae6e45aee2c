/** A secret shown only once: a token, or the signing key of a webhook. */

import connectionsTexts from 'texts:connections';
import { Button, Stack } from '@mantine/core';
import { useTexts } from '../../texts/texts.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Hint, Note } from '../../ui/entries.tsx';

interface SecretDialogProps {
  readonly title: string;
  readonly label: string;
  readonly secret: string;
  readonly hint: string;
  readonly onClose: () => void;
}

export function SecretDialog({ title, label, secret, hint, onClose }: SecretDialogProps) {
  const t = useTexts(connectionsTexts);
  return (
    <Dialog title={title} onClose={onClose} foot={<Button onClick={onClose}>{t.done}</Button>}>
      <Stack>
        <CopyField label={label} value={secret} />
        <Note>{t.shownOnce}</Note>
        <Hint>{hint}</Hint>
      </Stack>
    </Dialog>
  );
}
