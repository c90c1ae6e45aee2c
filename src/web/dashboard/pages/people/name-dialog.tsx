/** Asks for a name, for something new or to rename. */

import commonTexts from 'texts:common';
import { TextInput } from '@mantine/core';
import type { Subject } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { FormDialog, textIn } from '../../ui/form-dialog.tsx';

interface NameDialogProps {
  readonly title: string;
  readonly hint?: string;
  /** The current name; none for something new. */
  readonly name?: string;
  readonly subjects: readonly Subject[];
  readonly onSubmit: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function NameDialog({ title, hint, name, subjects, onSubmit, onClose }: NameDialogProps) {
  const t = useTexts(commonTexts);
  return (
    <FormDialog
      title={title}
      action={name === undefined ? t.add : t.rename}
      subjects={subjects}
      onSubmit={async (form) => {
        await onSubmit(textIn(form, 'name'));
      }}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label={t.name}
        description={hint}
        defaultValue={name ?? ''}
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
        size="md"
      />
    </FormDialog>
  );
}
