/** The name of a flow, and its run settings. */
import { NativeSelect, NumberInput, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DEFAULT_MAX_RUNNING, MAX_NAME_LENGTH, MAX_RUNNING } from '../../../../../home/vocabulary/limits.ts';
import { Section } from '../../../ui/page.tsx';
import { isObject, numberOf, textOf } from '../flow/flow-record.ts';
import classes from './editor.module.css';
import { useEditor, useFieldError } from './editor-context.tsx';
import { EntriesField } from './fields/text-fields.tsx';

const HERE = [] as const;

/** @param suggestion the name that an automation without one is saved under */
export function NameField({ suggestion }: { readonly suggestion: string }) {
  const { session, state, texts } = useEditor();
  const error = useFieldError(HERE, 'name');
  return (
    <TextInput
      label={texts.details.name}
      error={error}
      maxLength={MAX_NAME_LENGTH}
      placeholder={suggestion}
      value={state.flow.name}
      onChange={({ currentTarget }) => session.setField(HERE, 'name', currentTarget.value)}
    />
  );
}

export function DetailsSection() {
  const { session, state, texts } = useEditor();
  const { flow } = state;
  const { details } = texts;
  const mode = textOf(flow, 'mode') || 'single';
  // Most automations need none of it.
  const [isOpen] = useState(
    mode !== 'single' ||
      flow.executeOnce === true ||
      (isObject(flow.variables) && Object.keys(flow.variables).length > 0),
  );
  const variablesError = useFieldError(HERE, 'variables');
  return (
    <Section title={details.title}>
      <Textarea
        label={details.description}
        autosize
        value={textOf(flow, 'description')}
        onChange={({ currentTarget }) => session.setField(HERE, 'description', currentTarget.value || undefined)}
      />
      <Switch
        label={details.enabled}
        checked={flow.enabled}
        onChange={({ currentTarget }) => session.setField(HERE, 'enabled', currentTarget.checked)}
      />
      <details className={classes.more} open={isOpen || variablesError !== undefined}>
        <summary>{texts.card.more}</summary>
        <Stack gap={12} pt={4}>
          {typeof flow.executeOnce === 'boolean' && (
            <Switch
              label={details.once}
              checked={flow.executeOnce}
              onChange={({ currentTarget }) => session.setField(HERE, 'executeOnce', currentTarget.checked)}
            />
          )}
          <SimpleGrid minColWidth="min(100%, 160px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'end' }}>
            <NativeSelect
              label={details.mode}
              value={mode}
              data={Object.entries(details.modes).map(([value, label]) => ({ value, label }))}
              onChange={({ currentTarget }) => session.setField(HERE, 'mode', currentTarget.value)}
            />
            {(mode === 'queued' || mode === 'parallel') && (
              <NumberInput
                label={details.maxRunning}
                min={1}
                max={MAX_RUNNING}
                value={numberOf(flow, 'maxRunning') ?? DEFAULT_MAX_RUNNING}
                onChange={(value) =>
                  session.setField(HERE, 'maxRunning', typeof value === 'number' ? value : undefined)
                }
              />
            )}
          </SimpleGrid>
          <EntriesField
            field={{ name: 'variables', control: { is: 'entries', values: 'json' } }}
            node={flow}
            path={HERE}
            label={details.variables}
            error={variablesError}
            set={(value) => session.setField(HERE, 'variables', value)}
            setNode={(node) => session.setNode(HERE, node)}
          />
        </Stack>
      </details>
    </Section>
  );
}
