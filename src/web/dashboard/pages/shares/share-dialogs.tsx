/** Dialogs that create and edit a share. */

import commonTexts from 'texts:common';
import sharesTexts from 'texts:shares';
import { useState } from 'react';
import { act } from '../../api/client.ts';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { EntityDialog } from '../../ui/entity-dialog.tsx';
import { useNamedRooms } from '../rooms/room-name.ts';
import { CreateShare, type Share, ShareablesQuery, UpdateShare } from './documents.ts';
import { hasDoors, isOperated, parseCollection, type Shareable, shareablesOf } from './entities.ts';
import { EntityField } from './entity-field.tsx';
import { parseSchedule, problemOf, scheduleJson } from './schedule.ts';
import { NEW_SHARE, type ShareDraft, ShareForm, useZone } from './share-form.tsx';

/** Everything that can be shared, as far as it is loaded. */
export function useShareables(): readonly Shareable[] {
  const inventory = useHome();
  const rooms = useNamedRooms();
  const { data } = useApiQuery(ShareablesQuery, { homeId: inventory.id }, { subjects: ['groups'] });
  return shareablesOf(
    { ...inventory, rooms },
    present(data?.roomGroups),
    present(data?.collections).map(parseCollection),
  );
}

interface CreateDialogProps {
  /** The entity that a link from another page preselects. */
  readonly target: { readonly type: string; readonly id: string } | undefined;
  readonly onCreated: (link: { readonly url: string; readonly name: string }) => void;
  readonly onClose: () => void;
}

export function CreateShareDialog({ target, onCreated, onClose }: CreateDialogProps) {
  const { form: t } = useTexts(sharesTexts);
  const inventory = useHome();
  const shareables = useShareables();
  const [chosen, setChosen] = useState<Shareable>();
  const shareable = chosen ?? shareables.find(({ type, id }) => type === target?.type && id === target.id);
  const isGuarded = shareable !== undefined && hasDoors(shareable, inventory);
  // Who shares a lock or a lamp wants it used, not looked at.
  const role = shareable !== undefined && isOperated(shareable, inventory) ? 'control' : NEW_SHARE.role;
  const create = async ({ accessType, role, requirePost, schedule, ...values }: ShareDraft) => {
    if (!shareable) return 'stay';
    const { createEntityAccess: created } = await act(CreateShare, {
      entityType: shareable.type,
      entityId: shareable.id,
      accessType,
      role,
      name: values.name.trim() || null,
      // If it is left out, the relay decides by the content of the share at each use.
      ...(requirePost !== undefined && role === 'control' && { requirePost }),
      ...(accessType === 'passcode' && { passcode: values.passcode }),
      ...(accessType === 'user' && { userEmail: values.userEmail.trim() }),
      ...(schedule && { accessSchedule: scheduleJson(schedule) }),
    });
    if (!created?.shareUrl) return undefined;
    onCreated({ url: created.shareUrl, name: shareable.name });
    return 'stay';
  };
  return (
    <EntityDialog
      title={t.createTitle}
      action={t.create}
      initialValues={{ ...NEW_SHARE, role }}
      subjects={['shares']}
      onSubmit={create}
      onClose={onClose}
      isIncomplete={(draft) => !shareable || hasProblem(draft)}
      size="lg"
    >
      {(form) => (
        <>
          <EntityField shareables={shareables} value={shareable} onChange={setChosen} />
          <ShareForm form={form} isNew hasDoors={isGuarded} />
        </>
      )}
    </EntityDialog>
  );
}

export function EditShareDialog({ share, onClose }: { readonly share: Share; readonly onClose: () => void }) {
  const { form: t } = useTexts(sharesTexts);
  const common = useTexts(commonTexts);
  const inventory = useHome();
  const zone = useZone();
  const shareable = useShareables().find(({ type, id }) => type === share.entityType && id === share.entityId);
  const initial: ShareDraft = {
    ...NEW_SHARE,
    accessType: share.accessType as ShareDraft['accessType'],
    role: share.role as ShareDraft['role'],
    requirePost: share.requirePost,
    schedule: share.accessSchedule === null ? undefined : parseSchedule(share.accessSchedule, zone),
    name: share.name ?? '',
  };
  const save = async ({ role, name, requirePost, schedule, passcode }: ShareDraft) => {
    await act(UpdateShare, {
      accessId: share.id,
      role,
      name: name.trim(),
      ...(requirePost !== undefined && requirePost !== share.requirePost && { requirePost }),
      accessSchedule: schedule ? scheduleJson(schedule) : '',
      ...(passcode !== '' && { passcode }),
    });
  };
  return (
    <EntityDialog
      title={t.editTitle}
      action={common.save}
      initialValues={initial}
      subjects={['shares']}
      onSubmit={save}
      onClose={onClose}
      isIncomplete={hasProblem}
      size="lg"
    >
      {(form) => (
        <ShareForm form={form} isNew={false} hasDoors={shareable !== undefined && hasDoors(shareable, inventory)} />
      )}
    </EntityDialog>
  );
}

function hasProblem({ schedule }: ShareDraft): boolean {
  return schedule !== undefined && problemOf(schedule) !== undefined;
}
