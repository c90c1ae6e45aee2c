/** Texts, expressions, JSON, and pairs of names and values. */
import expressionTexts from 'texts:expressions';
import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTexts } from '../../../../texts/texts.ts';
import { lazyPart } from '../../../../ui/load-part.ts';
import { isList, isObject, type Json, textOf } from '../../flow/flow-record.ts';
import classes from '../editor.module.css';
import { useEditor } from '../editor-context.tsx';
import type { FieldProps } from './field-props.ts';

const ExpressionHelp = lazy(async () => ({
  default: (await import('../../expressions/expression-help.tsx')).ExpressionHelp,
}));
const ExpressionPreview = lazyPart(() => import('../../expressions/expression-preview.tsx'), 'ExpressionPreview');

export function TextField({ field, node, label, error, set }: FieldProps) {
  const change = (text: string) => set(text === '' ? undefined : text);
  const value = textOf(node, field.name);
  return (
    <TextInput
      label={label}
      error={error}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

export function TemplateField({ field, node, label, error, set }: FieldProps) {
  const { texts } = useEditor();
  const value = textOf(node, field.name);
  const props = { label, error, value, description: texts.inputs.templates };
  const change = (text: string) => set(text === '' ? undefined : text);
  return (
    <Stack gap={6} miw={0}>
      {field.control.is === 'longTemplate' ? (
        <Textarea {...props} autosize minRows={2} onChange={({ currentTarget }) => change(currentTarget.value)} />
      ) : (
        <TextInput {...props} onChange={({ currentTarget }) => change(currentTarget.value)} />
      )}
      {value.includes('{{') && <PreviewOf kind="text" text={value} />}
      <HelpButton />
    </Stack>
  );
}

export function ExpressionField({ field, node, label, error, set }: FieldProps) {
  const value = textOf(node, field.name);
  return (
    <Stack gap={6} miw={0}>
      <Textarea
        label={label}
        error={error}
        value={value}
        autosize
        minRows={2}
        spellCheck={false}
        autoCapitalize="off"
        className={classes.code ?? ''}
        placeholder="states('Thermometer', 'current_temperature') > 21"
        onChange={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.value)}
      />
      {value !== '' && <PreviewOf kind="expression" text={value} />}
      <HelpButton />
    </Stack>
  );
}

/** With the automation's variables as they are at the start of a run. */
function PreviewOf({ kind, text }: { readonly kind: 'text' | 'expression'; readonly text: string }) {
  const { variables } = useEditor().state.flow;
  return (
    <Suspense>
      <ExpressionPreview input={{ kind, text, variables }} />
    </Suspense>
  );
}

function HelpButton() {
  const { help } = useTexts(expressionTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={classes.link} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {help.open}
      </button>
      {isOpen && (
        <Suspense>
          <ExpressionHelp />
        </Suspense>
      )}
    </>
  );
}

type JsonFieldProps = Pick<FieldProps, 'field' | 'node' | 'label' | 'error' | 'set'> & {
  readonly shape: 'any' | 'object' | 'list';
};

/** Any value, as JSON; other input counts as a string if strings are allowed. */
export function JsonField({ field, node, label, error, set, shape }: JsonFieldProps) {
  const { texts } = useEditor();
  const value = node[field.name];
  const [text, setText] = useState(() => shown(value));
  const [fault, setFault] = useState<string>();
  const change = (next: string) => {
    setText(next);
    const read = readJson(next, shape);
    setFault(read.isFine ? undefined : texts.inputs.badShape[shape] || texts.inputs.badJson);
    if (read.isFine) set(read.value);
  };
  return (
    <Textarea
      label={label}
      error={fault ?? error}
      description={texts.inputs.json}
      value={text}
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      className={classes.code ?? ''}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

function shown(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Parses input: JSON if it is valid, else a string if one is allowed. */
export function readJson(text: string, shape: 'any' | 'object' | 'list'): { isFine: boolean; value: Json | undefined } {
  const trimmed = text.trim();
  if (trimmed === '') return { isFine: true, value: undefined };
  const isTemplate = trimmed.startsWith('{{') && trimmed.endsWith('}}');
  if (isTemplate && shape !== 'object') return { isFine: true, value: trimmed };
  try {
    const value: Json = JSON.parse(trimmed);
    const fits = shape === 'any' || (shape === 'list' ? isList(value) : isObject(value));
    return { isFine: fits, value };
  } catch {
    const looksLikeJson = /^[[{]/.test(trimmed);
    return { isFine: shape === 'any' && !looksLikeJson, value: text };
  }
}

interface Entry {
  readonly name: string;
  readonly text: string;
}

/** Pairs of names and values: variables, headers. */
export function EntriesField({ field, node, label, error, set }: FieldProps) {
  const { texts } = useEditor();
  const isText = field.control.is === 'entries' && field.control.values === 'text';
  const value = node[field.name];
  const [entries, setEntries] = useState<readonly Entry[]>(() =>
    Object.entries(isObject(value) ? value : {}).map(([name, one]) => ({ name, text: shown(one) })),
  );
  const write = (next: readonly Entry[]) => {
    setEntries(next);
    const named = next.filter(({ name }) => name.trim() !== '');
    const read = (text: string): Json => (isText ? text : (readJson(text, 'any').value ?? ''));
    const object = Object.fromEntries(named.map(({ name, text }) => [name.trim(), read(text)]));
    set(named.length === 0 && !field.isRequired ? undefined : object);
  };
  const change = (index: number, part: Partial<Entry>) =>
    write(entries.map((entry, at) => (at === index ? { ...entry, ...part } : entry)));
  return (
    <fieldset className={classes.fieldset}>
      <legend>{label}</legend>
      {entries.map((entry, index) => (
        <div key={index} className={classes.entry}>
          <TextInput
            aria-label={texts.inputs.entryName}
            placeholder={texts.inputs.entryName}
            value={entry.name}
            onChange={({ currentTarget }) => change(index, { name: currentTarget.value })}
          />
          <TextInput
            aria-label={`${texts.inputs.entryValue} ${entry.name}`}
            placeholder={texts.inputs.entryValue}
            value={entry.text}
            onChange={({ currentTarget }) => change(index, { text: currentTarget.value })}
          />
          <button
            type="button"
            className={classes.iconButton}
            aria-label={texts.inputs.removeEntry({ name: entry.name })}
            onClick={() => write(entries.toSpliced(index, 1))}
          >
            <X aria-hidden />
          </button>
        </div>
      ))}
      {error && (
        <Text c="var(--h-bad-ink)" className="h-anywhere">
          {error}
        </Text>
      )}
      <Button variant="default" onClick={() => setEntries([...entries, { name: '', text: '' }])}>
        {texts.inputs.addEntry}
      </Button>
    </fieldset>
  );
}
