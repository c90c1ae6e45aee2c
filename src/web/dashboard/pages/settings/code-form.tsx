/** Asks for a code of the authenticator app before an important change. */

import settingsTexts from 'texts:settings';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTexts } from '../../texts/texts.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { CodeField } from '../sign-in/code-field.tsx';
import { Problem } from '../sign-in/problem.tsx';
import classes from './settings.module.css';

interface CodeFormProps {
  readonly lead: string;
  readonly action: string;
  readonly isPending: boolean;
  readonly error: unknown;
  /** The app has not shown a code before: recovery codes do not exist yet. */
  readonly isFirst?: boolean;
  readonly onSubmit: (code: string) => void;
  readonly onCancel: () => void;
}

export function CodeForm({ lead, action, isPending, error, isFirst = false, onSubmit, onCancel }: CodeFormProps) {
  const t = useTexts(settingsTexts);
  const errorText = useErrorText();
  const form = useForm({ initialValues: { code: '' } });
  return (
    <form onSubmit={form.onSubmit(({ code }) => onSubmit(code))}>
      <Stack>
        <p className={classes.dim}>{lead}</p>
        <Problem text={error ? errorText(error) : undefined} />
        <CodeField
          label={t.code}
          description={isFirst ? t.codeFirstHint : t.codeHint}
          {...form.getInputProps('code')}
        />
        <Group justify="flex-end">
          <Button variant="subtle" onClick={onCancel}>
            {t.twoStepCancel}
          </Button>
          <Button type="submit" variant="default" loading={isPending} disabled={form.values.code.trim() === ''}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
