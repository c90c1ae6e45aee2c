/** Changes to the shared home, each with undo in a toast. None throws: a toast shows the error. */

import commonTexts from 'texts:common';
import homeTexts from 'texts:home';
import { act, ask, fetchRest } from '../../../api/client.ts';
import { graphql } from '../../../api/graphql.ts';
import { refresh } from '../../../api/query.ts';
import { homeStore } from '../../../home/home-store.ts';
import { textsNow } from '../../../texts/texts.ts';
import { errorText } from '../../../ui/error-text.ts';
import { doToEach, type SeveralOutcome } from '../../../ui/several.ts';
import { showFailures } from '../../../ui/show-failures.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { fetchPicture, pathOfPicture } from '../../rooms/picture-urls.ts';
import { type Arrangement, reverted } from '../arrangement.ts';
import type { ChangeArrangement } from '../use-arrangement.ts';

const CreateRoom = graphql(`
  mutation CreateRoom($homeId: String!, $name: String!, $color: String) {
    createRoom(homeId: $homeId, name: $name, color: $color) {
      id
    }
  }
`);

const RenameRoom = graphql(`
  mutation RenameRoom($roomId: String!, $name: String!) {
    renameRoom(roomId: $roomId, name: $name) {
      id
    }
  }
`);

const DeleteRoom = graphql(`
  mutation DeleteRoom($roomId: String!) {
    deleteRoom(roomId: $roomId) {
      success
      error
      code
      reason
    }
  }
`);

const RenameAccessory = graphql(`
  mutation RenameAccessory($accessoryId: String!, $name: String!) {
    renameAccessory(accessoryId: $accessoryId, name: $name) {
      id
    }
  }
`);

const RenameGroup = graphql(`
  mutation RenameServiceGroup($groupId: String!, $name: String!) {
    updateServiceGroup(groupId: $groupId, name: $name) {
      id
    }
  }
`);

const MoveAccessory = graphql(`
  mutation MoveAccessory($accessoryId: String!, $roomId: String!) {
    moveAccessory(accessoryId: $accessoryId, roomId: $roomId) {
      id
    }
  }
`);

const CreateGroup = graphql(`
  mutation GroupTiles($homeId: String!, $name: String!, $serviceIds: [String!]) {
    createServiceGroup(homeId: $homeId, name: $name, serviceIds: $serviceIds) {
      id
    }
  }
`);

const DeleteGroup = graphql(`
  mutation UngroupTiles($groupId: String!) {
    deleteServiceGroup(groupId: $groupId) {
      success
      error
      code
      reason
    }
  }
`);

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Shows a toast with undo. */
export function notifyWithUndo(text: string, undo: () => unknown): void {
  showToast({ text, action: { label: textsNow(commonTexts).undo, run: () => void undo() } });
}

/** Changes the arrangement. Undo takes back this change alone: what was changed later stays. */
export function arrangeWithUndo(
  change: ChangeArrangement,
  text: string,
  next: (all: Arrangement) => Arrangement,
): void {
  let undo = (all: Arrangement): Arrangement => all;
  change((before) => {
    const after = next(before);
    undo = (all) => reverted(all, before, after);
    return after;
  });
  notifyWithUndo(text, () => change(undo));
}

/** @returns the result of the change; nothing after an error, which a toast shows. */
async function attempt<T>(change: () => Promise<T>): Promise<T | undefined> {
  try {
    const result = await change();
    refresh('inventory', 'groups');
    return result;
  } catch (error) {
    refresh('inventory');
    showToast({ tone: 'bad', text: errorText(error) });
    return undefined;
  }
}

/** @returns the new room's id */
export async function createRoom(homeId: string, name: string): Promise<string | undefined> {
  const id = (await attempt(() => ask(CreateRoom, { homeId, name })))?.createRoom?.id;
  if (id !== undefined) {
    notifyWithUndo(textsNow(homeTexts).edit.roomMade({ name }), () => attempt(() => act(DeleteRoom, { roomId: id })));
  }
  return id;
}

/** @throws `ApiError` for the form to show */
export async function createGroup(homeId: string, name: string, serviceIds: readonly string[]): Promise<void> {
  const { createServiceGroup: made } = await ask(CreateGroup, { homeId, name, serviceIds: [...serviceIds] });
  refresh('inventory', 'groups');
  if (!made) return;
  notifyWithUndo(textsNow(homeTexts).edit.groupMade({ name }), () =>
    attempt(() => act(DeleteGroup, { groupId: made.id })),
  );
}

export type Renamed = 'room' | 'accessory' | 'group';

function rename(kind: Renamed, id: string, name: string): Promise<unknown> {
  if (kind === 'room') return ask(RenameRoom, { roomId: id, name });
  if (kind === 'group') return ask(RenameGroup, { groupId: id, name });
  return ask(RenameAccessory, { accessoryId: id, name });
}

/** @returns whether the rename succeeded */
export async function renameThing(kind: Renamed, { id, name: before }: Named, name: string): Promise<boolean> {
  const isDone = (await attempt(() => rename(kind, id, name))) !== undefined;
  if (isDone) {
    const text = textsNow(homeTexts).edit.renamed({ from: before, to: name });
    notifyWithUndo(text, () => attempt(() => rename(kind, id, before)));
  }
  return isDone;
}

/**
 * Moves the content of the room to the default one and deletes the room; undo creates the room again with its color and
 * picture and moves everything back.
 */
export async function deleteRoom(homeId: string, room: Named, onRestored: (newId: string) => void): Promise<void> {
  const inside = (homeStore.inventory?.accessories ?? [])
    .filter(({ roomId }) => roomId === room.id)
    .map(({ id }) => id);
  const known = homeStore.inventory?.rooms.find(({ id }) => id === room.id);
  // Without it, undo brings back the rest.
  const picture = known?.pictureHash
    ? await fetchPicture(pathOfPicture('rooms', room.id)).catch(() => undefined)
    : undefined;
  const isGone = (await attempt(() => act(DeleteRoom, { roomId: room.id }))) !== undefined;
  if (!isGone) return;
  notifyWithUndo(textsNow(homeTexts).edit.roomDeleted({ name: room.name, count: inside.length }), () =>
    attempt(async () => {
      const { createRoom: made } = await ask(CreateRoom, { homeId, name: room.name, color: known?.color ?? null });
      if (!made) return;
      for (const accessoryId of inside) await ask(MoveAccessory, { accessoryId, roomId: made.id });
      await whenThere(made.id);
      onRestored(made.id);
      // Last: if the relay refuses it, everything else is back.
      if (picture) await fetchRest(pathOfPicture('rooms', made.id), { method: 'PUT', body: picture });
    }),
  );
}

/**
 * Moves accessories to a room; those already there are skipped. The rest moves also if one can't; a toast names that
 * one. @returns whether all are there
 */
export async function moveAccessories(
  ids: readonly string[],
  room: Named,
  onUndone: () => void = () => undefined,
): Promise<boolean> {
  const before = (homeStore.inventory?.accessories ?? []).filter(
    ({ id, roomId }) => ids.includes(id) && roomId !== room.id,
  );
  if (before.length === 0) return true;
  const run = async (work: () => Promise<SeveralOutcome<Named>>) => {
    const outcome = await work();
    refresh('inventory', 'groups');
    showFailures(outcome, ({ name }) => name);
    return outcome;
  };
  const { undo, done, failures } = await run(() =>
    doToEach(before, async ({ id, roomId }) => {
      await ask(MoveAccessory, { accessoryId: id, roomId: room.id });
      return () => ask(MoveAccessory, { accessoryId: id, roomId });
    }),
  );
  if (undo) {
    notifyWithUndo(textsNow(homeTexts).edit.moved({ count: done, room: room.name }), async () => {
      if ((await run(undo)).failures.length === 0) onUndone();
    });
  }
  return failures.length === 0;
}

/** Waits until the refetch after the change contains the new room. */
function whenThere(roomId: string): Promise<void> {
  refresh('inventory');
  return new Promise((resolve) => {
    const look = () => {
      if (!homeStore.inventory?.rooms.some(({ id }) => id === roomId)) return;
      end();
      resolve();
    };
    const end = homeStore.subscribeToLayout(look);
    queueMicrotask(look);
  });
}
