/** One node as JSON: for kinds that this page does not support, and for experts. */
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { type FlowNode, isObject } from '../flow/flow-record.ts';
import type { Path } from '../flow/paths.ts';
import classes from './editor.module.css';
import { useEditor } from './editor-context.tsx';

export function NodeText({ node, path }: { readonly node: FlowNode; readonly path: Path }) {
  const { session, texts } = useEditor();
  const [draft, setDraft] = useState<string>();
  const [isWrong, setWrong] = useState(false);
  const change = (text: string) => {
    setDraft(text);
    const parsed = readObject(text);
    setWrong(parsed === undefined);
    if (parsed) session.setNode(path, parsed);
  };
  return (
    <Textarea
      label={texts.card.asText}
      error={isWrong ? texts.inputs.badJson : undefined}
      value={draft ?? JSON.stringify(node, null, 2)}
      autosize
      minRows={3}
      maxRows={14}
      spellCheck={false}
      className={classes.code ?? ''}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      // The parsed node is the value; on blur the text shows it in the stored format.
      onBlur={() => !isWrong && setDraft(undefined)}
    />
  );
}

function readObject(text: string): FlowNode | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && typeof value.type === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
