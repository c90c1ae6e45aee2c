/** Fields for one of a few options, yes or no, and numbers. */
import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { hasTemplate, isList, type Json } from '../../flow/flow-record.ts';
import classes from '../editor.module.css';
import { type EditorTexts, useEditor } from '../editor-context.tsx';
import type { FieldProps } from './field-props.ts';

const METHODS = ['GET', 'POST', 'PUT'] as const;
const DEFAULT_METHOD = 'POST';
/** Flags that the relay treats as true if they are missing. */
const FLAGS_ON: ReadonlySet<string> = new Set(['notifyOnEntry', 'continueOnTimeout']);

export function ChoiceField({ field, node, label, error, set }: FieldProps) {
  const { texts } = useEditor();
  const choices = field.control.is === 'choice' ? field.control.choices : [];
  const value = node[field.name];
  const current = typeof value === 'string' ? value : '';
  const data = choices.map((choice) => ({
    value: choice,
    label: choiceText(field.name, choice, node.id === undefined, texts),
  }));
  const isKnown = choices.includes(current);
  return (
    <NativeSelect
      label={label}
      error={error}
      value={current}
      data={[
        ...(field.isRequired || field.name === 'method' ? [] : [{ value: '', label: texts.choices.none }]),
        ...data,
        ...(current !== '' && !isKnown ? [{ value: current, label: current }] : []),
      ]}
      onChange={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}

function choiceText(field: string, choice: string, isCondition: boolean, { choices }: EditorTexts): string {
  const name = field === 'event' && isCondition ? 'conditionEvent' : field;
  const table = (choices as unknown as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>)[name];
  return table?.[choice] ?? choice;
}

export function FlagField({ field, node, label, error, set }: FieldProps) {
  const value = node[field.name];
  return (
    <Checkbox
      label={label}
      error={error}
      checked={typeof value === 'boolean' ? value : FLAGS_ON.has(field.name)}
      onChange={({ currentTarget }) => set(currentTarget.checked)}
    />
  );
}

export function NumberField({ field, node, label, error, set }: FieldProps) {
  const { texts } = useEditor();
  const { control } = field;
  if (control.is !== 'number') return null;
  const value = node[field.name];
  return (
    <NumberInput
      label={label}
      error={error}
      value={typeof value === 'number' ? value : ''}
      {...(control.min !== undefined && { min: control.min })}
      {...(control.max !== undefined && { max: control.max })}
      {...(control.unit && { suffix: ` ${texts.units[control.unit]}` })}
      onChange={(next) => set(typeof next === 'number' ? next : undefined)}
    />
  );
}

/** A number, or an expression that returns one. */
export function NumberTemplateField({ field, node, label, error, set }: FieldProps) {
  const { texts } = useEditor();
  const value = node[field.name];
  return (
    <TextInput
      label={label}
      error={error}
      description={texts.inputs.templates}
      inputMode={hasTemplate(value) ? 'text' : 'numeric'}
      value={value === undefined || value === null ? '' : String(value)}
      onChange={({ currentTarget }) => set(numberOrText(currentTarget.value))}
    />
  );
}

function numberOrText(text: string): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return Number.isNaN(Number(trimmed)) ? text : Number(trimmed);
}

export function MethodsField({ field, node, label, error, set }: FieldProps) {
  const value = node[field.name];
  const chosen = isList(value) ? value.filter((one) => typeof one === 'string') : [DEFAULT_METHOD];
  return (
    <Checkbox.Group
      label={label}
      error={error}
      value={[...chosen]}
      onChange={(next) => set(next.length === 0 ? undefined : next)}
    >
      <div className={classes.checks}>
        {METHODS.map((method) => (
          <Checkbox key={method} value={method} label={method} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
