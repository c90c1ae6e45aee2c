/** How an assistant connects by the Model Context Protocol, step by step. */
import connectionsTexts from 'texts:connections';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useTexts } from '../../texts/texts.ts';
import { Columns } from '../../ui/columns.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Section } from '../../ui/page.tsx';
import { mcpAddress, TOKEN_HEADER } from './addresses.ts';
import { ConnectionFrame } from './connection-frame.tsx';
import { HowSection } from './how-section.tsx';

export function AssistantsPage() {
  const { assistants: t, cards, tokenHeader } = useTexts(connectionsTexts);
  const first = (
    <>
      {t.step1}
      <CopyField label={t.address} value={mcpAddress()} />
    </>
  );
  const third = (
    <>
      {t.step3}
      <CopyField label={tokenHeader} value={TOKEN_HEADER} />
    </>
  );
  return (
    <ConnectionFrame title={t.title} lead={t.lead}>
      <Columns
        second={
          <Section title={cards.apps.title} lead={t.after}>
            <div>
              <Button component={Link} href="/connections/apps" variant="default">
                {t.toApps}
              </Button>
            </div>
          </Section>
        }
      >
        <HowSection title={t.how} steps={[first, t.step2, third]} />
      </Columns>
    </ConnectionFrame>
  );
}
