/** The form of a card: the fields of its kind, and rare ones under "More". */
import { NativeSelect, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { MAX_ALIAS_LENGTH, MAX_RETRIES, MAX_RETRY_PAUSE_MS } from '../../../../../home/vocabulary/limits.ts';
import { type FlowNode, noteOf, textOf, withNote } from '../flow/flow-record.ts';
import type { Kind } from '../flow/kind.ts';
import type { Path } from '../flow/paths.ts';
import { fieldsOf } from '../flow/registry.ts';
import type { NodeRole } from '../flow/structure.ts';
import classes from './editor.module.css';
import { useEditor, useNodeErrors } from './editor-context.tsx';
import { NodeField } from './fields/node-field.tsx';
import { NodeText } from './node-text.tsx';
import { TurnOffAgain } from './turn-off-again.tsx';

interface NodeFormProps {
  readonly of: NodeRole;
  readonly kind: Kind | undefined;
  readonly node: FlowNode;
  readonly path: Path;
}

export function NodeForm({ of: role, kind, node, path }: NodeFormProps) {
  const { texts } = useEditor();
  const fields = kind ? fieldsOf(kind, node) : [];
  const [plain, advanced] = [
    fields.filter(({ isAdvanced }) => !isAdvanced),
    fields.filter(({ isAdvanced }) => isAdvanced),
  ];
  return (
    <>
      <NodeErrors path={path} />
      {!kind && (
        <Text c="dimmed" className="h-anywhere">
          {texts.unknownKind}
        </Text>
      )}
      {plain.map((field) => (
        <NodeField key={field.name} field={field} node={node} path={path} />
      ))}
      {role === 'action' && <TurnOffAgain node={node} path={path} />}
      <details className={classes.more}>
        <summary>{texts.card.more}</summary>
        <Stack gap={14} p="4px 8px 8px" miw={0}>
          {advanced.map((field) => (
            <NodeField key={field.name} field={field} node={node} path={path} />
          ))}
          {role === 'action' && <ActionCommon node={node} path={path} />}
          {role !== 'condition' && <NoteField id={textOf(node, 'id')} />}
          <NodeText node={node} path={path} />
        </Stack>
      </details>
    </>
  );
}

/** The relay's errors about the whole node; errors of a field stand beside the field. */
function NodeErrors({ path }: { readonly path: Path }) {
  const errors = useNodeErrors(path);
  return (
    <div role="status">
      {errors.map((error) => (
        <Text key={error} c="var(--h-bad-ink)" className="h-anywhere">
          {error}
        </Text>
      ))}
    </div>
  );
}

const POLICIES = ['stop', 'continue', 'retry'] as const;

/** The fields that every action has. */
function ActionCommon({ node, path }: { readonly node: FlowNode; readonly path: Path }) {
  const { session, texts } = useEditor();
  const setNumber = (name: string) => (value: number | string) =>
    session.setField(path, name, typeof value === 'number' ? value : undefined);
  const numbers = ['maxRetries', 'retryDelayMs'] as const;
  return (
    <>
      <NativeSelect
        label={texts.errors.label}
        value={textOf(node, 'onError') || 'stop'}
        data={POLICIES.map((policy) => ({ value: policy, label: texts.errors[policy] }))}
        onChange={({ currentTarget }) => session.setField(path, 'onError', currentTarget.value)}
      />
      {node.onError === 'retry' &&
        numbers.map((name) => (
          <NumberInput
            key={name}
            label={texts.errors[name]}
            value={typeof node[name] === 'number' ? node[name] : ''}
            min={0}
            max={name === 'maxRetries' ? MAX_RETRIES : MAX_RETRY_PAUSE_MS}
            onChange={setNumber(name)}
          />
        ))}
      <TextInput
        label={texts.card.name}
        maxLength={MAX_ALIAS_LENGTH}
        value={textOf(node, 'alias')}
        onChange={({ currentTarget }) => session.setField(path, 'alias', currentTarget.value || undefined)}
      />
    </>
  );
}

function NoteField({ id }: { readonly id: string }) {
  const { session, state, texts } = useEditor();
  return (
    <Textarea
      label={texts.card.note}
      autosize
      value={noteOf(state.flow, id)}
      onChange={({ currentTarget }) => {
        const { uiState } = withNote(state.flow, id, currentTarget.value);
        session.setField([], 'uiState', uiState);
      }}
    />
  );
}
