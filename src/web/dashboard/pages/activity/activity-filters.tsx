import activityTexts from 'texts:activity';
import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useActivityWords } from '../../activity/activity-words.ts';
import { useHome } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { useRoomName } from '../rooms/room-name.ts';
import classes from './activity.module.css';
import type { ListedActor } from './documents.ts';
import { type ActivityView, actorKey } from './view.ts';

interface FiltersProps {
  readonly view: ActivityView;
  readonly actors: readonly ListedActor[];
  readonly onChange: (view: ActivityView) => void;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** By room, by device, and by who did it. */
export function ActivityFilters({ view, actors, onChange }: FiltersProps) {
  const t = useTexts(activityTexts);
  const format = useFormat();
  const { by } = useActivityWords();
  const roomName = useRoomName();
  const { rooms, accessories } = useHome();
  const sorted = (choices: readonly Choice[]): Choice[] =>
    [...choices].sort((a, b) => format.compare(a.label, b.label));
  const inRoom = accessories.filter(({ roomId }) => view.roomId === '' || roomId === view.roomId);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3 }} className={classes.filters ?? ''}>
      <NativeSelect
        label={t.room}
        value={view.roomId}
        data={[{ value: '', label: t.anyRoom }, ...rooms.map((room) => ({ value: room.id, label: roomName(room) }))]}
        onChange={({ currentTarget: { value: roomId } }) => onChange({ ...view, roomId, accessoryId: '' })}
      />
      <NativeSelect
        label={t.device}
        value={view.accessoryId}
        data={[
          { value: '', label: t.anyDevice },
          ...sorted(inRoom.map(({ id, name }) => ({ value: id, label: name }))),
        ]}
        onChange={({ currentTarget: { value: accessoryId } }) => onChange({ ...view, accessoryId })}
      />
      <NativeSelect
        label={t.who}
        value={view.actor}
        data={[
          { value: '', label: t.anyone },
          ...sorted(actors.map((actor) => ({ value: actorKey(actor), label: by(actor) }))),
        ]}
        onChange={({ currentTarget: { value: actor } }) => onChange({ ...view, actor })}
      />
    </SimpleGrid>
  );
}
