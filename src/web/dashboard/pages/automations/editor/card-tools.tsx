/** Actions on a whole card. */

import commonTexts from 'texts:common';
import { Group } from '@mantine/core';
import { ArrowDown, ArrowUp, Copy, Power, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { showToast } from '../../../ui/toasts.tsx';
import type { FlowNode } from '../flow/flow-record.ts';
import type { Path } from '../flow/paths.ts';
import classes from './editor.module.css';
import { useEditor } from './editor-context.tsx';

interface CardToolsProps {
  readonly node: FlowNode;
  readonly path: Path;
  readonly index: number;
  readonly count: number;
  readonly sentence: string;
  /** Conditions can't be switched off. */
  readonly canSwitch: boolean;
}

export function CardTools({ node, path, index, count, sentence, canSwitch }: CardToolsProps) {
  const { session, texts } = useEditor();
  const { undo } = useTexts(commonTexts);
  const { card } = texts;
  const isOff = node.enabled === false;
  const remove = () => {
    session.remove(path);
    showToast({ text: card.removed({ sentence }), action: { label: undo, run: () => session.undo() } });
  };
  return (
    <Group gap={4} align="stretch" role="toolbar" aria-label={sentence}>
      <Tool label={card.up} disabled={index === 0} act={() => session.move(path, -1)} icon={<ArrowUp aria-hidden />} />
      <Tool
        label={card.down}
        disabled={index === count - 1}
        act={() => session.move(path, 1)}
        icon={<ArrowDown aria-hidden />}
      />
      <Tool label={card.duplicate} act={() => session.duplicate(path)} icon={<Copy aria-hidden />} />
      {canSwitch && (
        <Tool
          label={isOff ? card.enable : card.disable}
          act={() => session.setField(path, 'enabled', isOff)}
          icon={<Power aria-hidden />}
        />
      )}
      <Tool label={card.remove} act={remove} icon={<Trash2 aria-hidden />} tone="bad" />
    </Group>
  );
}

interface ToolProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly disabled?: boolean;
  readonly tone?: 'bad';
  act(): void;
}

function Tool({ label, icon, disabled = false, tone, act }: ToolProps) {
  return (
    <button
      type="button"
      className={classes.tool}
      aria-label={label}
      title={label}
      data-tone={tone}
      disabled={disabled}
      onClick={act}
    >
      {icon}
      <span className={classes.wideOnly}>{label}</span>
    </button>
  );
}
