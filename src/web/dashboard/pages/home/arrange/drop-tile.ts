/** Carries out a drop: another order, another room, or a new favourite, each with undo. Loaded with the first drop. */
import homeTexts from 'texts:home';
import type { HomeInventory } from '../../../home/home-document.ts';
import { textsNow } from '../../../texts/texts.ts';
import {
  type Arrangement,
  FAVOURITES,
  GROUPS,
  isFavourite,
  shortId,
  withAccessoryOrder,
  withFavourites,
} from '../arrangement.ts';
import { arrangeWithUndo, moveAccessories } from '../edit/layout-acts.ts';
import { groupSection, sectionsOf } from '../sections.ts';
import type { Drop } from '../tile-drag.ts';
import type { ChangeArrangement } from '../use-arrangement.ts';
import { placed } from './placed.ts';

interface DropContext {
  readonly inventory: HomeInventory;
  readonly arrangement: Arrangement;
  readonly change: ChangeArrangement;
  readonly compare: (a: string, b: string) => number;
  readonly nameOf: (room: HomeInventory['rooms'][number]) => string;
}

export async function dropTile(
  { id, from, to, targetId, isAfter }: Drop,
  context: DropContext,
  move = moveAccessories,
): Promise<void> {
  const { inventory, arrangement, change, compare, nameOf } = context;
  const t = textsNow(homeTexts).edit;
  const alter = (text: string, next: (arrangement: Arrangement) => Arrangement) => arrangeWithUndo(change, text, next);
  if (to === FAVOURITES) {
    const text = isFavourite(arrangement, id) ? t.orderChanged : t.nowFavourite;
    alter(text, (all) => withFavouriteBeside(all, id, targetId, isAfter));
    return;
  }
  const sections = sectionsOf(inventory, arrangement, compare);
  const section =
    to === GROUPS ? groupSection(inventory, arrangement, compare) : sections.find(({ room }) => room.id === to);
  if (!section) return;
  const ids = placed(
    section.things.map((thing) => thing.id),
    id,
    targetId,
    isAfter,
  );
  if (from === to) {
    alter(t.orderChanged, (all) => withAccessoryOrder(all, to, ids));
    return;
  }
  // The order of a room counts only what is in it: if the relay refuses the move, nothing changes.
  if (await move([id], { id: to, name: nameOf(section.room) })) {
    change((all) => withAccessoryOrder(all, to, ids));
  }
}

/** Scenes among the favourites keep their places. */
export function withFavouriteBeside(
  arrangement: Arrangement,
  id: string,
  targetId: string,
  isAfter: boolean,
): Arrangement {
  const { favourites } = withFavourites(arrangement, [id], true);
  return { ...arrangement, favourites: placed(favourites, shortId(id), shortId(targetId), isAfter) };
}
