/** Creates, edits and deletes sets of every kind, with the same messages; a deletion can be undone. */

import commonTexts from 'texts:common';
import groupsTexts from 'texts:groups';
import { act, ask } from '../../api/client.ts';
import { refresh } from '../../api/query.ts';
import { textsNow } from '../../texts/texts.ts';
import { errorText } from '../../ui/error-text.ts';
import { showToast } from '../../ui/toasts.tsx';
import {
  CreateCollection,
  CreateRoomGroup,
  CreateServiceGroup,
  CreateZone,
  DeleteCollection,
  DeleteRoomGroup,
  DeleteServiceGroup,
  DeleteZone,
  UpdateCollection,
  UpdateRoomGroup,
  UpdateServiceGroup,
  UpdateZone,
} from './group-documents.ts';
import { withCollectionIds } from './members.ts';

/** A named set: of services, rooms or accessories. */
export interface NamedSet {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
  /** The content of a collection, in the relay's format. */
  readonly content?: unknown;
}

export type SetDraft = Omit<NamedSet, 'id'>;

/** One kind of sets. */
export interface SetSort {
  create(homeId: string, draft: SetDraft): Promise<unknown>;
  update(homeId: string, id: string, draft: SetDraft): Promise<unknown>;
  remove(id: string): Promise<unknown>;
}

export const SERVICE_GROUPS: SetSort = {
  create: (homeId, { name, members }) => ask(CreateServiceGroup, { homeId, name, serviceIds: [...members] }),
  update: (_, id, { name, members }) => ask(UpdateServiceGroup, { id, name, serviceIds: [...members] }),
  remove: (id) => act(DeleteServiceGroup, { id }),
};

export const ZONES: SetSort = {
  create: (homeId, { name, members }) => ask(CreateZone, { homeId, name, roomIds: [...members] }),
  update: (_, id, { name, members }) => ask(UpdateZone, { id, name, roomIds: [...members] }),
  remove: (id) => act(DeleteZone, { id }),
};

export const ROOM_GROUPS: SetSort = {
  create: (homeId, { name, members }) => ask(CreateRoomGroup, { homeId, name, roomIds: [...members] }),
  update: (_, id, { name, members }) => ask(UpdateRoomGroup, { id, name, roomIds: [...members] }),
  remove: (id) => act(DeleteRoomGroup, { id }),
};

/** @param isGroup whether an id is a service group's */
export function collections(isGroup: (id: string) => boolean): SetSort {
  const payload = (homeId: string, { content, members }: SetDraft) =>
    withCollectionIds(content, homeId, members, isGroup);
  return {
    create: (homeId, draft) => ask(CreateCollection, { name: draft.name, payload: payload(homeId, draft) }),
    update: (homeId, id, draft) => ask(UpdateCollection, { id, name: draft.name, payload: payload(homeId, draft) }),
    remove: (id) => ask(DeleteCollection, { id }),
  };
}

/** @throws `ApiError` for the form to show */
export async function saveSet(sort: SetSort, homeId: string, draft: SetDraft, id: string | undefined): Promise<void> {
  await (id === undefined ? sort.create(homeId, draft) : sort.update(homeId, id, draft));
  refresh('groups', 'inventory');
}

/** Never throws: a toast shows the error. */
export async function deleteSet(sort: SetSort, homeId: string, set: NamedSet): Promise<void> {
  const t = textsNow(groupsTexts);
  const attempt = async (change: () => Promise<unknown>) => {
    try {
      await change();
      refresh('groups', 'inventory');
      return true;
    } catch (error) {
      showToast({ tone: 'bad', text: errorText(error) });
      return false;
    }
  };
  if (!(await attempt(() => sort.remove(set.id)))) return;
  showToast({
    text: t.deleted({ name: set.name }),
    action: { label: textsNow(commonTexts).undo, run: () => void attempt(() => sort.create(homeId, set)) },
  });
}
