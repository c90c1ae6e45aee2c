/** Access tokens, and a starting point for programs and assistants. */
import developerTexts from 'texts:developer';
import { Button, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Hint, Steps } from '../../ui/entries.tsx';
import { Section } from '../../ui/page.tsx';
import { DeveloperFrame } from './developer-frame.tsx';
import classes from './developer-page.module.css';
import { CreateTokenDialog } from './token-dialog.tsx';
import { TokensSection } from './tokens-section.tsx';

export function DeveloperPage() {
  const { tokens: t } = useTexts(developerTexts);
  const [isCreating, setCreating] = useState(false);
  return (
    <DeveloperFrame
      title={t.title}
      lead={t.lead}
      actions={<Button onClick={() => setCreating(true)}>{t.create}</Button>}
    >
      <TokensSection />
      <ToolsSection />
      <AssistantsSection />
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
    </DeveloperFrame>
  );
}

function ToolsSection() {
  const { tools: t } = useTexts(developerTexts);
  const tools = [
    { path: '/docs', title: t.manual, text: t.manualText },
    { path: '/docs/api', title: t.docs, text: t.docsText },
    { path: '/graphiql', title: t.graphiql, text: t.graphiqlText },
    { path: '/openapi.json', title: t.openapi, text: t.openapiText },
  ];
  return (
    <Section title={t.title} lead={t.lead}>
      <SimpleGrid minColWidth="min(100%, 200px)" spacing={12}>
        {tools.map(({ path, title, text }) => (
          <a key={path} className={classes.tool} href={path} target="_blank" rel="noopener">
            <strong>{title}</strong>
            <span>{text}</span>
          </a>
        ))}
      </SimpleGrid>
      <CopyField label={t.metrics} value={`${location.origin}/metrics`} />
    </Section>
  );
}

function AssistantsSection() {
  const { tools: t } = useTexts(developerTexts);
  return (
    <Section title={t.mcpTitle}>
      <Hint>{t.mcpLead}</Hint>
      <CopyField label={t.mcpAddress} value={`${location.origin}/mcp`} />
      <Steps>
        <li>{t.mcpStep1}</li>
        <li>{t.mcpStep2}</li>
        <li>{t.mcpStep3}</li>
        <li>{t.mcpStep4}</li>
      </Steps>
    </Section>
  );
}
