/** Asks for the name of a new room. */

import commonTexts from 'texts:common';
import homeTexts from 'texts:home';
import { Button, Group, Modal, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useTexts } from '../../../texts/texts.ts';

interface AddRoomProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onAdd: (name: string) => void;
}

export function AddRoom({ opened, onClose, onAdd }: AddRoomProps) {
  const t = useTexts(homeTexts).edit;
  const common = useTexts(commonTexts);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    onClose();
    if (name) onAdd(name);
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.newRoom}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form onSubmit={submit}>
        <TextInput name="name" label={t.roomName} required maxLength={64} data-autofocus />
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit">{t.addRoom}</Button>
        </Group>
      </form>
    </Modal>
  );
}
