/** The name of the home. */

import welcomeTexts from 'texts:welcome';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
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
  const update = useApiMutation(UpdateHome, { subjects: ['house', 'account'], onDone: onNext });
  const [name, setName] = useState(home.name === FIRST_HOME_NAME ? '' : home.name);
  const [mistake, setMistake] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') setMistake(t.homeEmpty);
    else update.mutate({ homeId: home.id, name: name.trim() });
  };
  return (
    <>
      <StepProgress step="home" />
      <Heading title={t.homeTitle} lead={t.homeLead} takesFocus />
      <form onSubmit={submit} noValidate>
        <Stack>
          <Problem text={update.error ? errorText(update.error) : undefined} />
          <TextInput
            label={t.homeName}
            placeholder={t.homeExample}
            value={name}
            error={mistake}
            maxLength={64}
            size="md"
            onChange={({ currentTarget }) => {
              setMistake(undefined);
              setName(currentTarget.value);
            }}
          />
          <Group justify="flex-end">
            <Button variant="subtle" size="md" onClick={onNext}>
              {t.skip}
            </Button>
            <Button type="submit" size="md" loading={update.isPending}>
              {t.continue}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
