/** Tries an expression or a text with templates with the present state of the home, for developers. */
import expressionTexts from 'texts:expressions';
import { SimpleGrid, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { Columns } from '../../ui/columns.tsx';
import { Hint } from '../../ui/entries.tsx';
import { Section } from '../../ui/page.tsx';
import { ExpressionHelp } from '../automations/expressions/expression-help.tsx';
import { ExpressionPreview } from '../automations/expressions/expression-preview.tsx';
import classes from '../automations/expressions/expressions.module.css';
import { isObject } from '../automations/flow/flow-record.ts';
import { DeveloperFrame } from './developer-frame.tsx';

export function ExpressionsPage() {
  const t = useTexts(expressionTexts);
  return (
    <DeveloperFrame lead={t.lead}>
      <Columns second={<ExpressionHelp heading="h2" />}>
        <Playground />
      </Columns>
    </DeveloperFrame>
  );
}

const CODE = { autosize: true, minRows: 2, spellCheck: false, autoCapitalize: 'off', className: classes.code ?? '' };

function Playground() {
  const t = useTexts(expressionTexts);
  const [text, setText] = useState('{{ iso(now()) }}');
  const variables = useObject();
  const trigger = useObject();
  const kind = text.includes('{{') ? 'text' : 'expression';
  return (
    <Section>
      <Stack gap={14}>
        <Textarea
          {...CODE}
          minRows={4}
          label={t.text}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <section aria-label={t.result}>
          {text.trim() === '' ? (
            <Hint>{t.empty}</Hint>
          ) : (
            <ExpressionPreview isDetailed input={{ text, kind, variables: variables.value, trigger: trigger.value }} />
          )}
        </section>
        <SimpleGrid minColWidth="min(100%, 240px)" spacing={14}>
          <ObjectField label={t.variables} example={'{"level": 40}'} object={variables} />
          <ObjectField label={t.trigger} example={'{"to_value": true}'} object={trigger} />
        </SimpleGrid>
      </Stack>
    </Section>
  );
}

interface ObjectFieldProps {
  readonly label: string;
  readonly example: string;
  readonly object: ReturnType<typeof useObject>;
}

function ObjectField({ label, example, object: { text, setText, isFine } }: ObjectFieldProps) {
  const t = useTexts(expressionTexts);
  return (
    <Textarea
      {...CODE}
      label={label}
      description={t.objectHint({ example })}
      error={isFine ? undefined : t.notObject}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}

/** An object that is typed as JSON; the last one that could be read. */
function useObject() {
  const [text, setText] = useState('');
  const parsed = parse(text);
  return { text, setText, isFine: text.trim() === '' || parsed !== undefined, value: parsed };
}

function parse(text: string): Readonly<Record<string, never>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value as never) ? (value as Record<string, never>) : undefined;
  } catch {
    return undefined;
  }
}
