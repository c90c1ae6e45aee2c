/** Pairs the accessories found on the network, one after the other, until the user continues. */

import commonTexts from 'texts:common';
import welcomeTexts from 'texts:welcome';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { PairingFlow } from '../pair/pairing-flow.tsx';
import { Heading } from '../sign-in/heading.tsx';
import { StepProgress } from './step-progress.tsx';

interface StepProps {
  readonly homeId: string;
  onBack(): void;
  onDone(): void;
}

export function AccessoriesStep({ homeId, onBack, onDone }: StepProps) {
  const t = useTexts(welcomeTexts);
  const common = useTexts(commonTexts);
  const [isList, setList] = useState(true);
  return (
    <>
      <StepProgress step="accessories" />
      <Heading title={t.accessoriesTitle} lead={isList ? t.accessoriesLead : undefined} takesFocus />
      <PairingFlow homeId={homeId} onDone={onDone} onStage={setList} />
      {isList && (
        <Group justify="space-between" mt="xl">
          <Button variant="default" onClick={onBack}>
            {common.back}
          </Button>
          <Button ml="auto" onClick={onDone}>
            {t.finish}
          </Button>
        </Group>
      )}
    </>
  );
}
