/** Where programs begin: the references, and the editor for GraphQL. */
import developerTexts from 'texts:developer';
import { SimpleGrid } from '@mantine/core';
import { useTexts } from '../../texts/texts.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { DeveloperFrame } from './developer-frame.tsx';
import classes from './developer-page.module.css';

export function DeveloperPage() {
  const { tools: t } = useTexts(developerTexts);
  const tools = [
    { path: '/docs', title: t.manual, text: t.manualText },
    { path: '/docs/api', title: t.docs, text: t.docsText },
    { path: '/graphiql', title: t.graphiql, text: t.graphiqlText },
    { path: '/openapi.json', title: t.openapi, text: t.openapiText },
  ];
  return (
    <DeveloperFrame lead={t.lead}>
      <SimpleGrid minColWidth="min(100%, 170px)" spacing={12}>
        {tools.map(({ path, title, text }) => (
          <a key={path} className={classes.tool} href={path} target="_blank" rel="noopener">
            <strong>{title}</strong>
            <span>{text}</span>
          </a>
        ))}
      </SimpleGrid>
      <CopyField label={t.metrics} value={`${location.origin}/metrics`} />
    </DeveloperFrame>
  );
}
