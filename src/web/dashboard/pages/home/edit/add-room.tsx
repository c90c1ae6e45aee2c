/** Asks for the name of a new room. */
import homeTexts from 'texts:home';
import { TextInput } from '@mantine/core';
import { MAX_NAME_LENGTH } from '../../../../../home/vocabulary/limits.ts';
import { useTexts } from '../../../texts/texts.ts';
import { EntityDialog } from '../../../ui/entity-dialog.tsx';

interface AddRoomProps {
  readonly onClose: () => void;
  readonly onAdd: (name: string) => void;
}

export function AddRoom({ onClose, onAdd }: AddRoomProps) {
  const t = useTexts(homeTexts).edit;
  return (
    <EntityDialog
      title={t.newRoom}
      action={t.addRoom}
      initialValues={{ name: '' }}
      subjects={[]}
      onSubmit={async ({ name }) => {
        if (name.trim()) onAdd(name.trim());
      }}
      onClose={onClose}
    >
      {(form) => (
        <TextInput
          label={t.roomName}
          required
          maxLength={MAX_NAME_LENGTH}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
    </EntityDialog>
  );
}
