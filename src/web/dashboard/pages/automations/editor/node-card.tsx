/** A trigger, a condition or an action: its sentence, its form when it is open, and its inner nodes. */

import { Stack, Text } from '@mantine/core';
import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { type FlowNode, isList, noteOf, textOf } from '../flow/flow-record.ts';
import { useNodeIcon } from '../flow/node-icon.ts';
import { getAt } from '../flow/paths.ts';
import { findKind } from '../flow/registry.ts';
import { slotsOf } from '../flow/structure.ts';
import { CardHead } from './card-head.tsx';
import { CardTools } from './card-tools.tsx';
import classes from './editor.module.css';
import { type CardProps, useEditor } from './editor-context.tsx';
import { NodeForm } from './node-form.tsx';
import { NodeSlots } from './node-slots.tsx';

export function NodeCard({ of: role, node, path, index, count, gap }: CardProps) {
  const { session, state, sentences, texts } = useEditor();
  const [isCollapsed, setCollapsed] = useState(false);
  const type = textOf(node, 'type');
  const sentence = sentences[role](node);
  const alias = textOf(node, 'alias');
  const isOpen = session.isOpen(path);
  const hasSlots = slotsOf(node).length > 0;
  const Icon = useNodeIcon(role, node);
  const icon = (
    <span className={classes.icon} data-role={role}>
      <Icon aria-hidden />
    </span>
  );
  const note = noteOf(state.flow, textOf(node, 'id'));
  return (
    <li className={classes.card} data-open={isOpen || undefined} data-off={node.enabled === false || undefined}>
      {gap}
      <CardHead {...{ of: role, type, path, icon, sentence, note }} name={alias} isOff={node.enabled === false}>
        {hasSlots && (
          <button
            type="button"
            className={classes.iconButton}
            aria-expanded={!isCollapsed}
            aria-label={
              isCollapsed
                ? texts.card.expand({ name: alias || sentence })
                : texts.card.collapse({ name: alias || sentence })
            }
            onClick={() => setCollapsed(!isCollapsed)}
          >
            {isCollapsed ? <ChevronsUpDown aria-hidden /> : <ChevronsDownUp aria-hidden />}
          </button>
        )}
      </CardHead>
      {isOpen && (
        <Stack gap={14} p="4px 8px 8px" miw={0}>
          <CardTools {...{ node, path, index, count, sentence }} canSwitch={role !== 'condition'} />
          <NodeForm of={role} kind={findKind(role, type)} node={node} path={path} />
        </Stack>
      )}
      {hasSlots && isCollapsed && (
        <Text c="dimmed" className="h-anywhere">
          {texts.card.hidden({ count: stepsWithin(node) })}
        </Text>
      )}
      {hasSlots && !isCollapsed && <NodeSlots node={node} path={path} />}
    </li>
  );
}

function stepsWithin(node: FlowNode): number {
  const lists = slotsOf(node).filter(({ role }) => role !== 'condition');
  return lists.reduce((sum, { path }) => {
    const list = getAt(node, path);
    return sum + (isList(list) ? list.length : 0);
  }, 0);
}
