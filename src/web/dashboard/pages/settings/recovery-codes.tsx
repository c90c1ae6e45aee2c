/** New recovery codes: the only time that they are visible. */

import settingsTexts from 'texts:settings';
import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { copyText } from '../../ui/copy.ts';
import { saveFile } from '../../ui/save-file.ts';
import { showToast } from '../../ui/toasts.tsx';
import classes from './settings.module.css';

const FILE = 'hearthd-recovery-codes.txt';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const t = useTexts(settingsTexts);
  const [isCopied, setCopied] = useState(false);
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    if (await copyText(text)) setCopied(true);
    else showToast({ text: t.recoveryCopyFailed, tone: 'bad' });
  };
  const save = () => saveFile(FILE, new Blob([`${t.recoveryFileHead}\n\n${text}`], { type: 'text/plain' }));
  return (
    <Stack>
      <p className={classes.good} role="status">
        {t.recoveryNew}
      </p>
      <ul className={classes.codes} aria-label={t.recovery}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <Button variant="default" onClick={() => void copy()}>
          {isCopied ? t.recoveryCopied : t.recoveryCopy}
        </Button>
        <Button variant="default" onClick={save}>
          {t.recoverySave}
        </Button>
        <Button onClick={onDone}>{t.recoveryDone}</Button>
      </Group>
    </Stack>
  );
}
