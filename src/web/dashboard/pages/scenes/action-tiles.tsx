/** The actions of a scene: a tile for each accessory with the values that it sets, by room as on the home page. */
import homeTexts from 'texts:home';
import scenesTexts from 'texts:scenes';
import { ChevronDown, Unplug } from 'lucide-react';
import { type CSSProperties, type ReactNode, useMemo } from 'react';
import tileClasses from '../../devices/accessory-tile.module.css';
import { deviceLight, deviceTone } from '../../devices/devices.ts';
import { useDeviceIcon } from '../../devices/icons/device-icon.ts';
import type { HomeRoom } from '../../home/home-document.ts';
import { useAccessory, useHome } from '../../home/use-home.ts';
import { capital, settingText, useWords } from '../../pickers/property-words.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { GROUPS } from '../home/arrangement.ts';
import { useArrangement } from '../home/use-arrangement.ts';
import { useRoomName } from '../rooms/room-name.ts';
import classes from './actions.module.css';
import { RoomTiles, TileRooms } from './room-tiles.tsx';
import { type DraftAction, refOf } from './scene-draft.ts';
import { asSet, type SceneTile, tilesByRoom } from './scene-tiles.ts';

/** One tile is open at a time. */
interface Editing {
  readonly openId: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
  /** Below the open tile. */
  readonly inputs: (actions: readonly DraftAction[]) => ReactNode;
}

interface ActionTilesProps {
  readonly actions: readonly DraftAction[];
  /** Without it, the tiles are only to be seen. */
  readonly editing?: Editing;
}

export function ActionTiles({ actions, editing }: ActionTilesProps) {
  const inventory = useHome();
  const { compare } = useFormat();
  const [arrangement] = useArrangement();
  const nameOf = useSectionName();
  const rooms = useMemo(
    () => tilesByRoom(actions, inventory, arrangement, compare),
    [actions, inventory, arrangement, compare],
  );
  if (rooms.length === 0) return null;
  return (
    <TileRooms>
      {rooms.map(({ room, tiles }) => {
        const isOpen = tiles.some(({ id }) => id === editing?.openId);
        return (
          <RoomTiles key={room?.id ?? ''} name={room && nameOf(room)} columns={isOpen ? undefined : tiles.length}>
            {tiles.map((tile) => (
              <ActionTile key={tile.id} {...tile} editing={editing} />
            ))}
          </RoomTiles>
        );
      })}
    </TileRooms>
  );
}

function useSectionName(): (room: HomeRoom) => string {
  const t = useTexts(homeTexts);
  const roomName = useRoomName();
  return (room) => (room.id === GROUPS ? t.groups : roomName(room));
}

function ActionTile({ id, actions, editing }: SceneTile & { readonly editing: Editing | undefined }) {
  const t = useTexts(scenesTexts);
  const inventory = useHome();
  const words = useWords();
  const accessory = useAccessory(id);
  const then = accessory && asSet(accessory, actions, inventory);
  const Icon = useDeviceIcon(then, Unplug);
  const light = then && deviceLight(then);
  const name = accessory?.name ?? actions[0]?.kept?.accessoryName ?? t.gone;
  const values = capital(
    actions.map((action) => settingText(inventory, refOf(action), action.value, words)).join(', '),
  );
  const isOpen = editing?.openId === id;
  const face = (
    <>
      <span className={tileClasses.top}>
        <span className={tileClasses.icon}>
          <Icon aria-hidden size={24} strokeWidth={1.75} />
        </span>
        {editing && <ChevronDown aria-hidden size={18} className={`${tileClasses.chevron} ${classes.sign}`} />}
      </span>
      <span className={tileClasses.words}>
        <span className={tileClasses.name} title={name}>
          {name}
        </span>
        <span className={classes.values}>{values}</span>
      </span>
    </>
  );
  return (
    <li data-open={isOpen || undefined}>
      <div
        className={tileClasses.tile}
        data-tone={then ? deviceTone(then) : 'off'}
        data-lamp={light !== undefined || undefined}
        style={{ ...(light && { '--lamp': light }) } as CSSProperties}
      >
        {editing ? (
          <button
            type="button"
            className={tileClasses.body}
            aria-label={`${name}, ${values}`}
            aria-expanded={isOpen}
            onClick={() => editing.onOpen(isOpen ? undefined : id)}
          >
            {face}
          </button>
        ) : (
          <div className={classes.face}>{face}</div>
        )}
      </div>
      {isOpen && editing?.inputs(actions)}
    </li>
  );
}
