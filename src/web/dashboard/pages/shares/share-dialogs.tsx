/** Dialogs that create and edit a share. */

import commonTexts from 'texts:common';
import sharesTexts from 'texts:shares';
import { useState } from 'react';
import { act } from '../../api/client.ts';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { FormDialog, textIn } from '../../ui/form-dialog.tsx';
import { CreateShare, type Share, ShareablesQuery, UpdateShare } from './documents.ts';
import { hasDoors, parseCollection, type Shareable, shareablesOf } from './entities.ts';
import { EntityField } from './entity-field.tsx';
import { parseSchedule, problemOf, scheduleJson } from './schedule.ts';
import { type ShareDraft, ShareForm, useZone } from './share-form.tsx';

/** Everything that can be shared, as far as it is loaded. */
export function useShareables(): readonly Shareable[] {
  const house = useHome();
  const { data } = useApiQuery(ShareablesQuery, { homeId: house.id }, { subjects: ['groups'] });
  return shareablesOf(house, present(data?.roomGroups), present(data?.collections).map(parseCollection));
}

interface CreateDialogProps {
  /** The entity that a link from another page preselects. */
  readonly wish: { readonly type: string; readonly id: string } | undefined;
  readonly onCreated: (link: { readonly url: string; readonly name: string }) => void;
  readonly onClose: () => void;
}

export function CreateShareDialog({ wish, onCreated, onClose }: CreateDialogProps) {
  const { form: t } = useTexts(sharesTexts);
  const house = useHome();
  const shareables = useShareables();
  const [chosen, setChosen] = useState<Shareable>();
  const [draft, setDraft] = useState<ShareDraft>({
    accessType: 'public',
    role: 'view',
    requirePost: false,
    schedule: undefined,
  });
  // An explicit choice of the user stays when the entity changes.
  const [isDecided, setDecided] = useState(false);
  const shareable = chosen ?? shareables.find(({ type, id }) => type === wish?.type && id === wish.id);
  const isGuarded = shareable !== undefined && hasDoors(shareable, house);
  const shown = isDecided ? draft : { ...draft, requirePost: isGuarded };
  const change = (next: ShareDraft) => {
    if (next.requirePost !== shown.requirePost) setDecided(true);
    setDraft(next);
  };
  const create = async (form: FormData) => {
    if (!shareable) return 'stay';
    const { accessType, role, requirePost, schedule } = shown;
    const { createEntityAccess: created } = await act(CreateShare, {
      entityType: shareable.type,
      entityId: shareable.id,
      accessType,
      role,
      name: textIn(form, 'name') || null,
      // If it is left out, the relay decides by the content of the share at each use.
      ...(isDecided && role === 'control' && { requirePost }),
      ...(accessType === 'passcode' && { passcode: String(form.get('passcode')) }),
      ...(accessType === 'user' && { userEmail: textIn(form, 'userEmail') }),
      ...(schedule && { accessSchedule: scheduleJson(schedule) }),
    });
    if (!created?.shareUrl) return undefined;
    onCreated({ url: created.shareUrl, name: shareable.name });
    return 'stay';
  };
  return (
    <FormDialog
      title={t.createTitle}
      action={t.create}
      subjects={['shares']}
      onSubmit={create}
      onClose={onClose}
      isIncomplete={!shareable || (shown.schedule !== undefined && problemOf(shown.schedule) !== undefined)}
      size="lg"
    >
      <EntityField shareables={shareables} value={shareable} onChange={setChosen} />
      <ShareForm draft={shown} onChange={change} isNew name="" hasDoors={isGuarded} />
    </FormDialog>
  );
}

export function EditShareDialog({ share, onClose }: { readonly share: Share; readonly onClose: () => void }) {
  const { form: t } = useTexts(sharesTexts);
  const common = useTexts(commonTexts);
  const house = useHome();
  const zone = useZone();
  const shareable = useShareables().find(({ type, id }) => type === share.entityType && id === share.entityId);
  const [draft, setDraft] = useState<ShareDraft>(() => ({
    accessType: share.accessType as ShareDraft['accessType'],
    role: share.role as ShareDraft['role'],
    requirePost: share.requirePost,
    schedule: share.accessSchedule === null ? undefined : parseSchedule(share.accessSchedule, zone),
  }));
  const save = async (form: FormData) => {
    const passcode = String(form.get('passcode') ?? '');
    await act(UpdateShare, {
      accessId: share.id,
      role: draft.role,
      name: textIn(form, 'name'),
      ...(draft.requirePost !== share.requirePost && { requirePost: draft.requirePost }),
      accessSchedule: draft.schedule ? scheduleJson(draft.schedule) : '',
      ...(passcode !== '' && { passcode }),
    });
  };
  return (
    <FormDialog
      title={t.editTitle}
      action={common.save}
      subjects={['shares']}
      onSubmit={save}
      onClose={onClose}
      isIncomplete={draft.schedule !== undefined && problemOf(draft.schedule) !== undefined}
      size="lg"
    >
      <ShareForm
        draft={draft}
        onChange={setDraft}
        isNew={false}
        name={share.name ?? ''}
        hasDoors={shareable !== undefined && hasDoors(shareable, house)}
      />
    </FormDialog>
  );
}
