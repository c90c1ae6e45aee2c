/** A list of triggers, conditions or actions, each on a card, with a button to add one. */

import { Group, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { EMPTY_BLOCK, isList, isObject, type Json, textOf } from '../flow/flow-record.ts';
import { type Path, pathText } from '../flow/paths.ts';
import { type Offer, offersFor } from '../flow/registry.ts';
import type { NodeRole } from '../flow/structure.ts';
import { DropGap } from './drag-blocks.tsx';
import classes from './editor.module.css';
import { useEditor } from './editor-context.tsx';

const KindPicker = lazy(async () => ({ default: (await import('./kind-picker.tsx')).KindPicker }));

interface NodeListProps {
  readonly of: NodeRole;
  readonly list: Json | undefined;
  readonly path: Path;
  /** The label of the list, for screen readers. */
  readonly label: string;
  /** The text of an empty list that has none above it. */
  readonly empty?: string;
  readonly isInWait?: boolean;
  /** What adding one is called, if not by its role. */
  readonly add?: string;
}

export function NodeList({ of: role, list, path, label, empty, isInWait = false, add }: NodeListProps) {
  const { Card } = useEditor();
  const nodes = isList(list) ? list : [];
  const count = nodes.length;
  const gapAt = (index: number) => <DropGap {...{ of: role, list: path, index, count, label, isInWait }} />;
  return (
    <div className={classes.listFrame}>
      <div className={classes.listBody}>
        {count === 0 && empty !== undefined && (
          <Text c="dimmed" className="h-anywhere">
            {empty}
          </Text>
        )}
        {count > 0 && (
          <ol className={classes.list} aria-label={label}>
            {nodes.map((node, index) => {
              if (!isObject(node)) return null;
              // Conditions have no id: their index identifies them.
              const key = textOf(node, 'id') || index;
              return (
                <Card key={key} {...{ of: role, node, path: [...path, index], index, count, gap: gapAt(index) }} />
              );
            })}
          </ol>
        )}
        {gapAt(count)}
      </div>
      <AddButtons
        of={role}
        path={path}
        isInWait={isInWait}
        label={label}
        add={add}
        isEmpty={count === 0}
        isFirst={count === 0 && path.length === 1}
      />
    </div>
  );
}

interface AddButtonsProps extends Pick<NodeListProps, 'of' | 'path' | 'label'> {
  readonly isInWait: boolean;
  readonly add: string | undefined;
  /** A group of conditions is of use beside others. */
  readonly isEmpty: boolean;
  /** Nothing is in a list of the automation itself yet: the most common kinds take one click. */
  readonly isFirst: boolean;
}

/** By role, in the order of their buttons. */
const COMMON: Readonly<Record<NodeRole, readonly string[]>> = {
  trigger: ['state', 'time', 'sun', 'presence'],
  condition: [],
  action: ['set_characteristic', 'execute_scene', 'notify'],
};

function AddButtons({ of: role, path, isInWait, label, add, isEmpty, isFirst }: AddButtonsProps) {
  const { session, state, texts } = useEditor();
  const adding = add ?? texts.add[role];
  const [isPicking, setPicking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { focus } = state;
  // The last node of the list was removed.
  const isWanted = focus !== undefined && pathText(focus.path) === pathText([...path, -1]);
  const serial = isWanted ? focus.serial : undefined;
  useEffect(() => {
    if (serial !== undefined) button.current?.focus();
  }, [serial]);
  const kinds = texts.kinds[role] as Readonly<Record<string, { readonly name: string }>>;
  const offers = isFirst && !isInWait ? offersFor(role) : [];
  const common = COMMON[role].flatMap((key) => offers.find((offer) => offer.key === key) ?? []);
  const choose = (offer: Offer) => {
    setPicking(false);
    session.add(path, offer);
  };
  return (
    <Group gap={8} align="stretch">
      {common.map((offer) => {
        const Icon = offer.icon;
        return (
          <button
            key={offer.key}
            type="button"
            className={`${classes.add} ${classes.quick}`}
            onClick={() => choose(offer)}
          >
            <Icon aria-hidden /> {kinds[offer.key]?.name}
          </button>
        );
      })}
      <button
        ref={button}
        type="button"
        className={classes.add}
        aria-label={`${adding} (${label})`}
        onClick={() => setPicking(true)}
      >
        <Plus aria-hidden /> {adding}
      </button>
      {role === 'condition' && !isEmpty && (
        <button
          type="button"
          className={classes.add}
          aria-label={`${texts.add.group} (${label})`}
          onClick={() => session.insert(path, { ...EMPTY_BLOCK, operator: 'or' })}
        >
          <Plus aria-hidden /> {texts.block.group}
        </button>
      )}
      {isPicking && (
        <Suspense>
          <KindPicker of={role} isInWait={isInWait} choose={choose} close={() => setPicking(false)} />
        </Suspense>
      )}
    </Group>
  );
}
