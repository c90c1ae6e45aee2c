/** Access tokens for programs, and for tablets on the wall. */
import connectionsTexts from 'texts:connections';
import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { useAsked } from '../../../ui/asked.ts';
import { Columns } from '../../../ui/columns.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Section } from '../../../ui/page.tsx';
import { relayAddress, TOKEN_HEADER } from '../addresses.ts';
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
      actions={
        <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      }
      isForManagers
    >
      <DeveloperGate>
        <Columns second={<UseSection />}>
          <TokensSection />
        </Columns>
      </DeveloperGate>
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
    </ConnectionFrame>
  );
}

/** What a token is for: programs, and tablets on the wall. */
function UseSection() {
  const { tokens: t, tokenHeader } = useTexts(connectionsTexts);
  return (
    <Section title={t.how}>
      <p className="h-bare">{t.usage}</p>
      <CopyField label={tokenHeader} value={TOKEN_HEADER} />
      <CopyField label={t.address} value={relayAddress()} />
      <p className="h-bare">{t.wall}</p>
      <CopyField label={t.wallAddress} value={`${relayAddress()}/?kiosk`} />
    </Section>
  );
}
