/**
 * Creates a scene from the current state of the home: the user selects properties and sees their current values. With a
 * suggestion in its address, it begins with that.
 */
import scenesTexts from 'texts:scenes';
import { Button, Group } from '@mantine/core';
import { Unplug } from 'lucide-react';
import { type CSSProperties, useMemo, useState } from 'react';
import { useSearch } from 'wouter';
import { useApiMutation } from '../../api/query.ts';
import tileClasses from '../../devices/accessory-tile.module.css';
import { deviceLight, deviceTone } from '../../devices/devices.ts';
import { useDeviceIcon } from '../../devices/icons/device-icon.ts';
import { useAccessory, useHome } from '../../home/use-home.ts';
import { propertiesOf } from '../../pickers/property.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { EmptyState, Section } from '../../ui/page.tsx';
import { sectionsOf } from '../home/sections.ts';
import { useStateText } from '../home/state-text.ts';
import { useArrangement } from '../home/use-arrangement.ts';
import { useRoomName } from '../rooms/room-name.ts';
import actionClasses from './actions.module.css';
import { NewSceneForm, useSceneCreated } from './new-scene-form.tsx';
import { RoomTiles, TileRooms } from './room-tiles.tsx';
import { CaptureScene } from './scene-documents.ts';
import classes from './scene-lists.module.css';
import { findSuggestion, suggestionOf } from './scene-suggestions.ts';
import { SuggestedScene } from './suggested-scene.tsx';

export function NewScenePage() {
  const home = useHome();
  const kind = findSuggestion(new URLSearchParams(useSearch()).get('suggestion'));
  const suggestion = kind && suggestionOf(kind, home);
  return suggestion ? <SuggestedScene key={kind} suggestion={suggestion} /> : <CapturedScene />;
}

function CapturedScene() {
  const t = useTexts(scenesTexts);
  const { id: homeId } = useHome();
  const [written, setName] = useState('');
  const [accessoryIds, setAccessoryIds] = useState<string[]>([]);
  const name = written.trim();
  const created = useSceneCreated();
  const capture = useApiMutation(CaptureScene, {
    subjects: ['scenes', 'inventory'],
    onDone: ({ captureScene }) => created(name, captureScene),
  });
  return (
    <NewSceneForm
      lead={t.newLead}
      name={written}
      onRename={setName}
      isChanged={name !== '' || accessoryIds.length > 0}
      setsNothing={accessoryIds.length === 0}
      creating={capture}
      onCreate={() => capture.mutate({ homeId, name, accessoryIds })}
    >
      <Section title={t.choose} lead={t.chooseText}>
        <Choices chosen={accessoryIds} onChange={setAccessoryIds} />
      </Section>
    </NewSceneForm>
  );
}

interface ChoicesProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** Every writable property, by room. */
function Choices({ chosen, onChange }: ChoicesProps) {
  const t = useTexts(scenesTexts);
  const rooms = useCapturable();
  const roomName = useRoomName();
  const all = rooms.flatMap(({ ids }) => ids);
  if (all.length === 0) return <EmptyState title={t.choose}>{t.nothingToCapture}</EmptyState>;
  const toggle = (id: string, isOn: boolean) => onChange(isOn ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <>
      <Group justify="space-between">
        <span aria-live="polite">{t.chosen({ count: chosen.length })}</span>
        <Button variant="default" onClick={() => onChange(chosen.length < all.length ? all : [])}>
          {chosen.length < all.length ? t.chooseAll : t.chooseNone}
        </Button>
      </Group>
      <TileRooms>
        {rooms.map(({ room, ids }) => (
          <RoomTiles key={room.id} name={roomName(room)} columns={ids.length} isChoice>
            {ids.map((id) => (
              <Choice key={id} id={id} isChosen={chosen.includes(id)} onToggle={toggle} />
            ))}
          </RoomTiles>
        ))}
      </TileRooms>
    </>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly isChosen: boolean;
  readonly onToggle: (id: string, isOn: boolean) => void;
}

function Choice({ id, isChosen, onToggle }: ChoiceProps) {
  const accessory = useAccessory(id);
  const stateText = useStateText();
  const Icon = useDeviceIcon(accessory, Unplug);
  if (!accessory) return null;
  const state = stateText(accessory);
  const light = deviceLight(accessory);
  return (
    <label
      className={classes.choice}
      data-tone={deviceTone(accessory)}
      data-lamp={light !== undefined || undefined}
      style={{ ...(light && { '--lamp': light }) } as CSSProperties}
    >
      <span className={actionClasses.face}>
        <span className={tileClasses.top}>
          <span className={tileClasses.icon}>
            <Icon aria-hidden size={24} strokeWidth={1.75} />
          </span>
          <input
            type="checkbox"
            checked={isChosen}
            onChange={({ currentTarget }) => onToggle(id, currentTarget.checked)}
          />
        </span>
        <span className={tileClasses.words}>
          <span className={tileClasses.name} title={accessory.name}>
            {accessory.name}
          </span>
          <span className={tileClasses.state} title={state}>
            {state}
          </span>
        </span>
      </span>
    </label>
  );
}

function useCapturable() {
  const inventory = useHome();
  const { compare } = useFormat();
  const [arrangement] = useArrangement();
  return useMemo(() => {
    const settable = new Set(
      inventory.accessories
        // A timer's state is not writable (the relay leaves it out as well).
        .filter(({ virtualType }) => virtualType !== 'timer')
        .filter((accessory) => propertiesOf(accessory).some(({ characteristic }) => characteristic.canWrite))
        .map(({ id }) => id),
    );
    return sectionsOf(inventory, arrangement, compare)
      .map(({ room, things }) => ({ room, ids: things.map(({ id }) => id).filter((id) => settable.has(id)) }))
      .filter(({ ids }) => ids.length > 0);
  }, [inventory, arrangement, compare]);
}
