/** One dialog for the whole page. It keeps its content during the closing animation. */

import commonTexts from 'texts:common';
import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTexts } from '../texts/texts.ts';
import { useQuestion } from './confirm.ts';
import { Dialog } from './dialog.tsx';

export function ConfirmDialog() {
  const t = useTexts(commonTexts);
  const { question, isOpen } = useQuestion();
  // Only a dialog that opens later remembers where the focus was.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return (
    <Dialog
      opened={isOpen && isMounted}
      onClose={() => question?.answer(false)}
      title={question?.title ?? ''}
      zIndex={500}
      foot={
        <>
          <Button variant="default" onClick={() => question?.answer(false)} data-autofocus>
            {t.cancel}
          </Button>
          <Button color={question?.isDangerous ? 'red.9' : 'ember'} onClick={() => question?.answer(true)}>
            {question?.action}
          </Button>
        </>
      }
    >
      <Text component="div">{question?.body}</Text>
    </Dialog>
  );
}
