/** The link of a shared entity, as text and as a QR code. */

import sharesTexts from 'texts:shares';
import { Button, Group, Stack } from '@mantine/core';
import { useTexts } from '../../texts/texts.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Hint } from '../../ui/entries.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { qrFile } from '../../ui/qr-drawing.ts';
import { saveFile } from '../../ui/save-file.ts';

interface LinkDialogProps {
  readonly url: string;
  /** The name of the shared entity. */
  readonly name: string;
  readonly onClose: () => void;
}

export function LinkDialog({ url, name, onClose }: LinkDialogProps) {
  const { link: t } = useTexts(sharesTexts);
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Stack>
        <QrCode value={url} label={t.qr({ name })} caption={name} />
        <CopyField label={t.url} value={url} />
        <Group gap="xs" grow preventGrowOverflow={false}>
          <Button component="a" href={url} target="_blank" rel="noopener noreferrer" variant="default">
            {t.open}
          </Button>
          <Button variant="default" onClick={() => print()}>
            {t.print}
          </Button>
          <Button variant="default" onClick={() => saveFile(t.fileName({ name }), qrFile(url))}>
            {t.download}
          </Button>
        </Group>
        <Hint>{t.hint}</Hint>
      </Stack>
    </Dialog>
  );
}
