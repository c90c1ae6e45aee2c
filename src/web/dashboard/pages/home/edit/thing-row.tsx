/** An accessory or a group in edit mode: drag, select, rename, hide, and move without dragging. */

import homeTexts from 'texts:home';
import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { Box, Group, Menu } from '@mantine/core';
import { ChevronDown, ChevronUp, EllipsisVertical, Eye, EyeOff, GripVertical, Star, StarOff } from 'lucide-react';
import { memo } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import type { Thing } from '../sections.ts';
import classes from './edit.module.css';
import { RenameInPlace } from './rename-in-place.tsx';

/** Actions on tiles; the object stays the same during editing. */
export interface ThingActs {
  select(id: string, isOn: boolean): void;
  rename(thing: Thing, name: string): void;
  step(thing: Thing, by: 1 | -1): void;
  hide(ids: readonly string[], isOn: boolean): void;
  favour(ids: readonly string[], isOn: boolean): void;
  move(ids: readonly string[], roomId: string): void;
}

interface ThingRowProps {
  readonly thing: Thing;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isSelected: boolean;
  readonly isHidden: boolean;
  readonly isFavourite: boolean;
  readonly canManage: boolean;
  readonly rooms: readonly { readonly id: string; readonly name: string }[];
  readonly acts: ThingActs;
}

export const ThingRow = memo(function ThingRow(props: ThingRowProps) {
  const { thing, isSelected, isHidden, isFavourite, canManage, acts } = props;
  const t = useTexts(homeTexts).edit;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: thing.id,
    data: { kind: 'thing', thing },
  });
  const badges = [isHidden && t.hiddenBadge, isFavourite && t.favouriteBadge, thing.isGroup && t.group].filter(Boolean);
  return (
    <li
      ref={setNodeRef}
      className={isDragging ? `${classes.thing} ${classes.dragged}` : classes.thing}
      data-hidden={isHidden || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <button
        ref={setActivatorNodeRef}
        type="button"
        className={classes.grip}
        {...attributes}
        {...listeners}
        aria-label={t.drag({ name: thing.name })}
      >
        <GripVertical aria-hidden />
      </button>
      <label className={classes.check}>
        <input
          type="checkbox"
          aria-label={t.select({ name: thing.name })}
          checked={isSelected}
          onChange={({ currentTarget }) => acts.select(thing.id, currentTarget.checked)}
        />
      </label>
      <Box miw={0} flex={1}>
        {canManage ? (
          <RenameInPlace
            name={thing.name}
            label={t.rename({ name: thing.name })}
            onRename={(name) => acts.rename(thing, name)}
          />
        ) : (
          <span className={classes.plain}>{thing.name}</span>
        )}
        {badges.length > 0 && (
          <Group gap="0 8px" align="stretch" c="dimmed" fz="0.8125rem" p="0 6px 6px">
            {badges.join(' · ')}
          </Group>
        )}
      </Box>
      <ThingMenu {...props} />
    </li>
  );
});

function ThingMenu({ thing, isFirst, isLast, isHidden, isFavourite, canManage, rooms, acts }: ThingRowProps) {
  const t = useTexts(homeTexts).edit;
  const ids = [thing.id];
  return (
    <Menu position="bottom-end" withinPortal shadow="md">
      <Menu.Target>
        <button type="button" className={classes.icon} aria-label={t.actionsFor({ name: thing.name })}>
          <EllipsisVertical aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown mah="60dvh" style={{ overflowY: 'auto' }}>
        <Menu.Item leftSection={<ChevronUp size={16} />} disabled={isFirst} onClick={() => acts.step(thing, -1)}>
          {t.earlier({ name: thing.name })}
        </Menu.Item>
        <Menu.Item leftSection={<ChevronDown size={16} />} disabled={isLast} onClick={() => acts.step(thing, 1)}>
          {t.later({ name: thing.name })}
        </Menu.Item>
        <Menu.Item
          leftSection={isFavourite ? <StarOff size={16} /> : <Star size={16} />}
          onClick={() => acts.favour(ids, !isFavourite)}
        >
          {isFavourite ? t.unfavour : t.favour}
        </Menu.Item>
        <Menu.Item
          leftSection={isHidden ? <Eye size={16} /> : <EyeOff size={16} />}
          onClick={() => acts.hide(ids, !isHidden)}
        >
          {isHidden ? t.show : t.hide}
        </Menu.Item>
        {canManage && !thing.isGroup && (
          <>
            <Menu.Label>{t.moveTo}</Menu.Label>
            {rooms
              .filter(({ id }) => id !== thing.roomId)
              .map(({ id, name }) => (
                <Menu.Item key={id} onClick={() => acts.move(ids, id)}>
                  {name}
                </Menu.Item>
              ))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
