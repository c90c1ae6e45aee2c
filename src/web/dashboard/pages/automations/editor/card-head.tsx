/**
 * The header of a card: its sentence and its state (off, invalid). It opens the form, handles the keyboard, and its
 * icon is the drag handle.
 */
import { useDraggable } from '@dnd-kit/core';
import { Text } from '@mantine/core';
import { ChevronDown, ChevronRight, GripVertical, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { type Path, pathText } from '../flow/paths.ts';
import type { NodeRole } from '../flow/structure.ts';
import type { DraggedBlock } from './drag-blocks.tsx';
import classes from './editor.module.css';
import { useEditor, useNodeErrors } from './editor-context.tsx';

interface CardHeadProps {
  readonly of: NodeRole;
  /** The type of the node; none for a block of conditions. */
  readonly type?: string;
  readonly path: Path;
  readonly icon: ReactNode;
  readonly sentence: string;
  /** The custom name, if there is one. */
  readonly name?: string | undefined;
  readonly note?: string | undefined;
  readonly isOff?: boolean;
  readonly children?: ReactNode;
}

export function CardHead(props: CardHeadProps) {
  const { of: role, type = '', path, icon, sentence, name, note, isOff = false, children } = props;
  const { session, state, texts } = useEditor();
  const errors = useNodeErrors(path);
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = session.isOpen(path);
  const { focus } = state;
  const serial = focus && pathText(focus.path) === pathText(path) ? focus.serial : undefined;
  useEffect(() => {
    if (serial === undefined) return;
    button.current?.focus();
    button.current?.scrollIntoView({ block: 'nearest' });
  }, [serial]);
  const dragging = useDraggable({
    id: pathText(path),
    data: { of: role, path, type, icon, sentence: name || sentence } satisfies DraggedBlock,
    attributes: { roleDescription: texts.drag.role },
  });
  const toggle = () => session.setOpen(isOpen ? undefined : path);
  const obey = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || by === undefined) return;
    event.preventDefault();
    session.move(path, by);
  };
  return (
    <div ref={dragging.setNodeRef} className={classes.head} data-dragged={dragging.isDragging || undefined}>
      <button
        ref={dragging.setActivatorNodeRef}
        type="button"
        className={classes.grip}
        {...dragging.attributes}
        {...dragging.listeners}
        aria-label={texts.drag.handle({ name: name || sentence })}
        // A click on the icon opens the card, like a click on the text; a key press on it starts keyboard dragging.
        onClick={({ detail }) => detail > 0 && toggle()}
      >
        <GripVertical aria-hidden />
        {icon}
      </button>
      <button
        ref={button}
        type="button"
        className={classes.headButton}
        aria-expanded={isOpen}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        title={texts.card.keys}
        onClick={toggle}
        onKeyDown={obey}
      >
        <span className={classes.headText}>
          {name && <strong>{name}</strong>}
          <span className={name ? classes.dim : ''}>{sentence}</span>
          {note && (
            <Text span fz="0.85rem" p="2px 8px" bdrs={6} className="h-note">
              {note}
            </Text>
          )}
          {isOff && <span className={classes.badge}>{texts.card.disabled}</span>}
          {errors.length > 0 && (
            <span className={classes.badge} data-tone="bad">
              <TriangleAlert aria-hidden /> {texts.card.wrong}
            </span>
          )}
        </span>
        {isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
      </button>
      {children}
    </div>
  );
}
