/** Access tokens for programs, and for tablets on the wall. */
import connectionsTexts from 'texts:connections';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { useAsked } from '../../../ui/asked.ts';
import { ConnectionFrame } from '../connection-frame.tsx';
import { DeveloperGate } from '../developer-gate.tsx';
import { CreateTokenDialog } from './token-dialog.tsx';
import { TokensSection } from './tokens-section.tsx';

export function TokensPage() {
  const { tokens: t } = useTexts(connectionsTexts);
  const [isCreating, setCreating] = useState(false);
  useAsked(() => setCreating(true));
  return (
    <ConnectionFrame
      title={t.title}
      lead={t.lead}
      actions={<Button onClick={() => setCreating(true)}>{t.create}</Button>}
      isForManagers
    >
      <DeveloperGate>
        <TokensSection />
      </DeveloperGate>
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
    </ConnectionFrame>
  );
}
