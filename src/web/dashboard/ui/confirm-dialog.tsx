/** One dialog for the whole page. It keeps its content during the closing animation. */

import commonTexts from 'texts:common';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTexts } from '../texts/texts.ts';
import { useQuestion } from './confirm.ts';

export function ConfirmDialog() {
  const t = useTexts(commonTexts);
  const { question, isOpen } = useQuestion();
  // Only a dialog that opens later remembers where the focus was.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return (
    <Modal
      opened={isOpen && isMounted}
      onClose={() => question?.answer(false)}
      title={question?.title}
      centered
      closeButtonProps={{ 'aria-label': t.close }}
      zIndex={500}
    >
      <Stack>
        <Text component="div">{question?.body}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => question?.answer(false)} data-autofocus>
            {t.cancel}
          </Button>
          <Button color={question?.isDangerous ? 'red.9' : 'ember'} onClick={() => question?.answer(true)}>
            {question?.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
