/** The dialog to create or change something: its fields with their errors, and a button, busy until the answer. */

import commonTexts from 'texts:common';
import { Button, Stack } from '@mantine/core';
import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { type QuerySubject, refresh } from '../api/query.ts';
import { useTexts } from '../texts/texts.ts';
import { Dialog } from './dialog.tsx';
import { useErrorText } from './error-text.ts';
import { ErrorNotice } from './page.tsx';

interface EntityDialogProps<Values extends object> {
  readonly title: string;
  /** The label of the button: "Invite", never "OK". */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** A field has the name of the relay's argument, because the relay's errors name that. */
  readonly initialValues: Values;
  /** The subjects that the action changes. */
  readonly subjects: readonly QuerySubject[];
  /** Throws the error. The dialog stays open if it returns `'stay'`. */
  readonly onSubmit: (values: Values) => Promise<unknown>;
  readonly onClose: () => void;
  readonly isIncomplete?: (values: Values) => boolean;
  /** @returns an error for each invalid field, by its name */
  readonly validate?: (values: Values) => FormErrors;
  readonly size?: 'md' | 'lg' | 'xl';
  readonly children: (form: UseFormReturnType<Values>) => ReactNode;
}

export function EntityDialog<Values extends object>(props: EntityDialogProps<Values>) {
  const { title, action, isDangerous = false, initialValues, subjects, onSubmit, onClose, isIncomplete, size } = props;
  const t = useTexts(commonTexts);
  const errorText = useErrorText();
  const form = useForm<Values>({ initialValues, ...(props.validate && { validate: props.validate }) });
  const [error, setError] = useState<unknown>();
  const submit = async (values: Values) => {
    if (form.submitting) return;
    setError(undefined);
    try {
      const outcome = await onSubmit(values);
      refresh(...subjects);
      if (outcome !== 'stay') onClose();
    } catch (refusal) {
      const field = refusal instanceof ApiError ? refusal.field : undefined;
      if (field !== undefined && field in values) form.setErrors({ [field]: errorText(refusal) });
      else setError(refusal);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={form.onSubmit(submit)}
      foot={
        <>
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button
            type="submit"
            loading={form.submitting}
            disabled={isIncomplete?.(form.values) ?? false}
            {...(isDangerous && { color: 'red.9' })}
          >
            {action}
          </Button>
        </>
      }
      {...(size && { size })}
    >
      <Stack>
        {props.children(form)}
        {error !== undefined && <ErrorNotice error={error} />}
      </Stack>
    </Dialog>
  );
}
