/** The inner parts of a node: its cases, branches, conditions and steps, each as a list. */

import flowTexts from 'texts:automation-flow';
import { Group, Text } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useTexts } from '../../../texts/texts.ts';
import { EMPTY_BLOCK, type FlowNode, isList, type Json } from '../flow/flow-record.ts';
import { getAt, type Path } from '../flow/paths.ts';
import { slotLabel } from '../flow/slot-label.ts';
import { type Slot, slotsOf } from '../flow/structure.ts';
import { ConditionBlock } from './condition-block.tsx';
import classes from './editor.module.css';
import { useEditor } from './editor-context.tsx';
import { NodeList } from './node-list.tsx';

export function NodeSlots({ node, path }: { readonly node: FlowNode; readonly path: Path }) {
  const texts = useTexts(flowTexts);
  return (
    <div className={classes.slots}>
      {slotsOf(node).map((slot) => {
        const label = slotLabel(slot, texts);
        const place = [...path, ...slot.path];
        return (
          <div key={slot.path.join('.')} className={classes.slot}>
            <Group gap={8} wrap="nowrap" justify="space-between">
              <Text span fw={600}>
                {label}
              </Text>
              <RemovePart slot={slot} node={node} path={path} />
            </Group>
            {slot.isBlock ? (
              <ConditionBlock block={getAt(node, slot.path)} path={place} label={label} empty={texts.slots.empty} />
            ) : (
              <NodeList
                of={slot.role}
                list={getAt(node, slot.path)}
                path={place}
                label={label}
                empty={texts.slots.empty}
                isInWait={slot.label === 'waitFor'}
              />
            )}
          </div>
        );
      })}
      <AddPart node={node} path={path} />
    </div>
  );
}

/** Cases and branches are added and removed as a whole. */
const PARTS: Readonly<
  Record<string, { readonly field: string; readonly add: 'choice' | 'branch'; readonly made: Json }>
> = {
  choose: { field: 'choices', add: 'choice', made: { conditions: EMPTY_BLOCK, actions: [] } },
  parallel: { field: 'branches', add: 'branch', made: [] },
};

function partsOf(node: FlowNode) {
  const row = PARTS[String(node.type)];
  const list = row && node[row.field];
  return row && { ...row, list: isList(list) ? list : [] };
}

function AddPart({ node, path }: { readonly node: FlowNode; readonly path: Path }) {
  const { session, texts } = useEditor();
  const parts = partsOf(node);
  if (!parts) return null;
  return (
    <button
      type="button"
      className={classes.add}
      onClick={() => session.setField(path, parts.field, [...parts.list, parts.made])}
    >
      <Plus aria-hidden /> {texts.add[parts.add]}
    </button>
  );
}

function RemovePart({ slot, node, path }: { readonly slot: Slot; readonly node: FlowNode; readonly path: Path }) {
  const { session, texts } = useEditor();
  const parts = partsOf(node);
  const { number = 0, label } = slot;
  if (!parts || parts.list.length < 2 || (label !== 'choice' && label !== 'branch')) return null;
  const name = label === 'choice' ? texts.add.removeChoice({ number }) : texts.add.removeBranch({ number });
  return (
    <button
      type="button"
      className={classes.iconButton}
      aria-label={name}
      onClick={() => session.setField(path, parts.field, parts.list.toSpliced(number - 1, 1))}
    >
      <X aria-hidden />
    </button>
  );
}
