/** Conditions combined by all, any or none. */
import { NativeSelect } from '@mantine/core';
import { isList, isObject, type Json, textOf, toBlock } from '../flow/flow-record.ts';
import type { Path } from '../flow/paths.ts';
import classes from './editor.module.css';
import { useEditor } from './editor-context.tsx';
import { NodeList } from './node-list.tsx';

const OPERATORS = ['and', 'or', 'not'] as const;

interface ConditionBlockProps {
  readonly block: Json | undefined;
  readonly path: Path;
  readonly label: string;
  readonly empty?: string;
}

/** The operator is shown only if it makes a difference. */
export function ConditionBlock({ block: given, path, label, ...rest }: ConditionBlockProps) {
  const { session, texts } = useEditor();
  const block = toBlock(isObject(given) || isList(given) ? given : undefined);
  const operator = textOf(block, 'operator') || 'and';
  const count = isList(block.conditions) ? block.conditions.length : 0;
  return (
    <>
      {(count > 1 || operator !== 'and') && (
        <NativeSelect
          aria-label={`${texts.block.label} (${label})`}
          className={classes.operator ?? ''}
          value={operator}
          data={OPERATORS.map((one) => ({ value: one, label: texts.block[one] }))}
          onChange={({ currentTarget }) => session.setNode(path, { ...block, operator: currentTarget.value })}
        />
      )}
      <NodeList of="condition" list={block.conditions} path={[...path, 'conditions']} label={label} {...rest} />
    </>
  );
}
