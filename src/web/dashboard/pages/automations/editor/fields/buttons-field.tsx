/** The buttons of a notification: up to three, each with its text and the id that triggers know it by. */
import { Button, Text, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import { MAX_BUTTON_LENGTH, MAX_BUTTONS } from '../../../../../../home/vocabulary/limits.ts';
import { type FlowNode, isList, isObject, type Json, textOf } from '../../flow/flow-record.ts';
import classes from '../editor.module.css';
import { useEditor } from '../editor-context.tsx';
import type { FieldProps } from './field-props.ts';

export function ButtonsField({ field, node, label, error, set }: FieldProps) {
  const { texts } = useEditor();
  const { inputs } = texts;
  const value = node[field.name];
  const buttons = (isList(value) ? value : []).filter(isObject) as readonly FlowNode[];
  const write = (next: readonly FlowNode[]) => set(next.length === 0 ? undefined : (next as readonly Json[]));
  const change = (index: number, part: FlowNode) =>
    write(buttons.map((button, at) => (at === index ? { ...button, ...part } : button)));
  return (
    <fieldset className={classes.fieldset}>
      <legend>{label}</legend>
      {buttons.map((button, index) => {
        const title = textOf(button, 'title');
        return (
          <div key={index} className={classes.entry}>
            <TextInput
              aria-label={inputs.buttonTitle({ number: index + 1 })}
              placeholder={inputs.buttonTitleHint}
              maxLength={MAX_BUTTON_LENGTH}
              value={title}
              onChange={({ currentTarget }) => change(index, { title: currentTarget.value })}
            />
            <TextInput
              aria-label={inputs.buttonId({ number: index + 1 })}
              placeholder={inputs.buttonIdHint}
              maxLength={MAX_BUTTON_LENGTH}
              autoCapitalize="off"
              spellCheck={false}
              value={textOf(button, 'id')}
              onChange={({ currentTarget }) => change(index, { id: currentTarget.value })}
            />
            <button
              type="button"
              className={classes.iconButton}
              aria-label={inputs.removeEntry({ name: title })}
              onClick={() => write(buttons.toSpliced(index, 1))}
            >
              <X aria-hidden />
            </button>
          </div>
        );
      })}
      <Text c="dimmed" size="sm">
        {inputs.buttonsHint}
      </Text>
      {error && (
        <Text c="var(--h-bad-ink)" className="h-anywhere">
          {error}
        </Text>
      )}
      {buttons.length < MAX_BUTTONS && (
        <Button variant="default" onClick={() => write([...buttons, { id: freeId(buttons), title: '' }])}>
          {inputs.addButton}
        </Button>
      )}
    </fieldset>
  );
}

function freeId(buttons: readonly FlowNode[]): string {
  const taken = new Set(buttons.map((button) => textOf(button, 'id')));
  let number = 1;
  while (taken.has(`button_${number}`)) number += 1;
  return `button_${number}`;
}
