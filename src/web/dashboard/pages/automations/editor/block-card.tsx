/** A block of conditions inside another one. */

import flowTexts from 'texts:automation-flow';
import { Parentheses } from 'lucide-react';
import { useTexts } from '../../../texts/texts.ts';
import { CardHead } from './card-head.tsx';
import { CardTools } from './card-tools.tsx';
import { ConditionBlock } from './condition-block.tsx';
import classes from './editor.module.css';
import { type CardProps, useEditor } from './editor-context.tsx';

export function BlockCard({ node, path, index, count, gap }: CardProps) {
  const { session, texts, sentences } = useEditor();
  const { slots } = useTexts(flowTexts);
  const sentence = sentences.condition(node);
  const isOpen = session.isOpen(path);
  const icon = (
    <span className={classes.icon} data-role="condition">
      <Parentheses aria-hidden />
    </span>
  );
  return (
    <li className={classes.card} data-open={isOpen || undefined}>
      {gap}
      <CardHead of="condition" path={path} icon={icon} sentence={sentence} name={texts.block.group} />
      {isOpen && <CardTools {...{ node, path, index, count, sentence }} canSwitch={false} />}
      <div className={classes.slot}>
        <ConditionBlock block={node} path={path} label={texts.block.group} empty={slots.empty} />
      </div>
    </li>
  );
}
