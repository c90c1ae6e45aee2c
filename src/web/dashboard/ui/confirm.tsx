/** Asks for confirmation before an irreversible action. `await confirm({...})` returns whether the user agreed. */

import commonTexts from 'texts:common';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useTexts } from '../texts/texts.ts';

export interface Question {
  readonly title: string;
  /** What is lost, and what is not. */
  readonly body: ReactNode;
  /** The label of the button: "Delete room", never "OK". */
  readonly action: string;
  readonly isDangerous?: boolean;
}

interface Asked extends Question {
  answer(agreed: boolean): void;
}

let asked: Asked | undefined;
let isOpen = false;
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false);
  return new Promise((resolve) => {
    asked = {
      ...question,
      answer(agreed) {
        isOpen = false;
        notify();
        resolve(agreed);
      },
    };
    isOpen = true;
    notify();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** One dialog for the whole page. It keeps its content during the closing animation. */
export function ConfirmDialog() {
  const t = useTexts(commonTexts);
  const opened = useSyncExternalStore(subscribe, () => isOpen);
  const question = useSyncExternalStore(subscribe, () => asked);
  return (
    <Modal
      opened={opened}
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
