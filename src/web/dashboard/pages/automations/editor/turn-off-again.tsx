/** "Off again": two steps after one that turns something on, after a while or at a time. */
import { Group } from '@mantine/core';
import { Clock, Timer } from 'lucide-react';
import { useHome } from '../../../home/use-home.ts';
import { findProperty } from '../../../pickers/property.ts';
import { type FlowNode, withFields } from '../flow/flow-record.ts';
import type { Path } from '../flow/paths.ts';
import { propertyRef } from '../flow/sentence-context.ts';
import { waitUntil } from '../flow/templates.ts';
import classes from './editor.module.css';
import { useEditor } from './editor-context.tsx';

const FIRST_SPAN = { minutes: 5 } as const;
const FIRST_TIME = '23:00';
/** The time is a trigger of the step that waits. */
const TIME_OF_WAIT = ['triggers', 0] as const;

interface TurnOffAgainProps {
  readonly node: FlowNode;
  readonly path: Path;
}

export function TurnOffAgain({ node, path }: TurnOffAgainProps) {
  const { session, state, texts } = useEditor();
  const inventory = useHome();
  const ref = propertyRef(node);
  const isSwitch = ref && findProperty(inventory, ref)?.characteristic.format === 'bool';
  if (!isSwitch || node.value !== true) return null;
  const off = withFields(node, { id: undefined, alias: undefined, value: false });
  const add = (wait: FlowNode, open: Path, settings = {}) => session.insertAfter(path, [wait, off], open, settings);
  // A further trigger starts the time again, as a light with a motion sensor requires.
  const extended = state.flow.mode === 'single' ? { mode: 'restart' } : {};
  return (
    <Group gap={8} align="stretch">
      <button
        type="button"
        className={classes.add}
        onClick={() => add({ type: 'delay', duration: FIRST_SPAN }, [], extended)}
      >
        <Timer aria-hidden /> {texts.off.later}
      </button>
      <button type="button" className={classes.add} onClick={() => add(waitUntil(FIRST_TIME), TIME_OF_WAIT)}>
        <Clock aria-hidden /> {texts.off.atTime}
      </button>
    </Group>
  );
}
