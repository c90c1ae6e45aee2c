import type { HomeScene } from '../../home/home-document.ts';

/**
 * The scenes that set something in the room. Those that set only this room come first, those of the whole home last.
 * @param ids of its accessories and service groups
 */
export function scenesIn<T extends Pick<HomeScene, 'actionList'>>(
  ids: readonly string[],
  scenes: readonly T[],
): readonly T[] {
  const inRoom = new Set(ids);
  const shareOf = ({ actionList }: T): number =>
    actionList.length && actionList.filter(({ accessoryId }) => inRoom.has(accessoryId)).length / actionList.length;
  return scenes.filter((scene) => shareOf(scene) > 0).toSorted((a, b) => shareOf(b) - shareOf(a));
}
