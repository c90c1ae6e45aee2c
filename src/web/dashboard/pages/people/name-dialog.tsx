/** Asks for a name, for something new or to rename. */

import commonTexts from 'texts:common';
import { TextInput } from '@mantine/core';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import type { QuerySubject } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { EntityDialog } from '../../ui/entity-dialog.tsx';

interface NameDialogProps {
  readonly title: string;
  readonly hint?: string;
  /** The current name; none for something new. */
  readonly name?: string;
  readonly subjects: readonly QuerySubject[];
  readonly onSubmit: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function NameDialog({ title, hint, name, subjects, onSubmit, onClose }: NameDialogProps) {
  const t = useTexts(commonTexts);
  return (
    <EntityDialog
      title={title}
      action={name === undefined ? t.add : t.rename}
      initialValues={{ name: name ?? '' }}
      subjects={subjects}
      onSubmit={async (values) => {
        await onSubmit(values.name.trim());
      }}
      onClose={onClose}
    >
      {(form) => (
        <TextInput
          label={t.name}
          description={hint}
          required
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
    </EntityDialog>
  );
}
