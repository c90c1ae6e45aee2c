/** Whether the home keeps a history: asked once, and recommended. */

import commonTexts from 'texts:common';
import welcomeTexts from 'texts:welcome';
import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { present } from '../../api/graphql.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { Heading } from '../sign-in/heading.tsx';
import { Problem } from '../sign-in/problem.tsx';
import { StepProgress } from './step-progress.tsx';
import { HistorySizeQuery, KeepHistory } from './welcome-documents.ts';

interface StepProps {
  readonly homeId: string;
  onBack(): void;
  onNext(): void;
}

const BYTES_PER_MB = 1_000_000;
/** As the relay limits it, unless its owner has changed that. Admins of one home may not read it. */
const USUAL_MB = 500;

export function HistoryStep({ homeId, onBack, onNext }: StepProps) {
  const t = useTexts(welcomeTexts);
  const common = useTexts(commonTexts);
  const errorText = useErrorText();
  const [isWanted, setWanted] = useState(true);
  const size = useMaxSize();
  const keep = useApiMutation(KeepHistory, { subjects: ['history'], onDone: onNext });
  return (
    <>
      <StepProgress step="history" />
      <Heading title={t.historyTitle} lead={t.historyLead} takesFocus />
      <Stack>
        <Problem text={keep.error ? errorText(keep.error) : undefined} />
        <Checkbox
          label={t.historyKeep}
          description={t.historySize({ size })}
          checked={isWanted}
          onChange={({ currentTarget }) => setWanted(currentTarget.checked)}
        />
        <Group justify="space-between">
          <Button variant="default" onClick={onBack}>
            {common.back}
          </Button>
          <Button loading={keep.isPending} onClick={() => keep.mutate({ homeId, enabled: isWanted })}>
            {t.continue}
          </Button>
        </Group>
      </Stack>
    </>
  );
}

/** The most that the history of all homes takes, for people. */
function useMaxSize(): string {
  const format = useFormat();
  const { data } = useApiQuery(HistorySizeQuery, {}, { subjects: ['relay'] });
  const limit = present(data?.relaySettings).find(({ name }) => name === 'history_max_mb')?.value;
  return format.bytes((typeof limit === 'number' ? limit : USUAL_MB) * BYTES_PER_MB);
}
