/** The name of the home. */

import welcomeTexts from 'texts:welcome';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { useApiMutation } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { Heading } from '../sign-in/heading.tsx';
import { Problem } from '../sign-in/problem.tsx';
import { StepProgress } from './step-progress.tsx';
import { FIRST_HOME_NAME } from './steps.ts';
import { UpdateHome, type WelcomeHome } from './welcome-documents.ts';

interface StepProps {
  readonly home: WelcomeHome;
  onNext(): void;
}

export function HomeStep({ home, onNext }: StepProps) {
  const t = useTexts(welcomeTexts);
  const errorText = useErrorText();
  const update = useApiMutation(UpdateHome, { subjects: ['inventory', 'account'], onDone: onNext });
  const form = useForm({
    initialValues: { name: home.name === FIRST_HOME_NAME ? '' : home.name },
    validate: { name: (name) => (name.trim() === '' ? t.homeEmpty : null) },
  });
  return (
    <>
      <StepProgress step="home" />
      <Heading title={t.homeTitle} lead={t.homeLead} takesFocus />
      <form onSubmit={form.onSubmit(({ name }) => update.mutate({ homeId: home.id, name: name.trim() }))} noValidate>
        <Stack>
          <Problem text={update.error ? errorText(update.error) : undefined} />
          <TextInput
            label={t.homeName}
            placeholder={t.homeExample}
            maxLength={MAX_NAME_LENGTH}
            {...form.getInputProps('name')}
          />
          <Group justify="flex-end">
            <Button variant="subtle" onClick={onNext}>
              {t.skip}
            </Button>
            <Button type="submit" loading={update.isPending}>
              {t.continue}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
