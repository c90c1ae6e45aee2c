/** How an assistant connects by the Model Context Protocol, step by step. */
import connectionsTexts from 'texts:connections';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useTexts } from '../../texts/texts.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Steps } from '../../ui/entries.tsx';
import { Section } from '../../ui/page.tsx';
import { mcpAddress } from './addresses.ts';
import { ConnectionFrame } from './connection-frame.tsx';

export function AssistantsPage() {
  const { assistants: t } = useTexts(connectionsTexts);
  return (
    <ConnectionFrame title={t.title} lead={t.lead}>
      <Section title={t.how}>
        <Steps>
          <li>
            {t.step1}
            <CopyField label={t.address} value={mcpAddress()} />
          </li>
          <li>{t.step2}</li>
          <li>{t.step3}</li>
          <li>{t.step4}</li>
        </Steps>
        <div>
          <Button component={Link} href="/connections/apps" variant="default">
            {t.toApps}
          </Button>
        </div>
      </Section>
    </ConnectionFrame>
  );
}
