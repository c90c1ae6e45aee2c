/** Creates and edits simple automations. Without permission, the page shows the reason. */

import nativeTexts from 'texts:native-automations';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../../api/api-error.ts';
import { useApiMutation, useApiQuery } from '../../../api/query.ts';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Answer, EmptyState, ErrorNotice, Page } from '../../../ui/page.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { pageOf } from '../list/addresses.ts';
import { faultsOf, type NativeFault } from './native-check.ts';
import { CreateNative, NativeQuery, UpdateNative } from './native-document.ts';
import { draftOf, EMPTY_DRAFT, inputOf, type NativeDraft } from './native-draft.ts';
import { NativeForm } from './native-form.tsx';

export function NewNativePage() {
  const t = useTexts(nativeTexts);
  return (
    <Page title={t.newTitle} lead={t.lead} narrow>
      <Allowed>
        <Editor begin={EMPTY_DRAFT} />
      </Allowed>
    </Page>
  );
}

export function EditNativePage({ automationId = '' }: { readonly automationId?: string }) {
  const t = useTexts(nativeTexts);
  const query = useApiQuery(NativeQuery, { automationId }, { subjects: [] });
  return (
    <Answer query={query}>
      {({ automation }) => (
        <Page title={t.editTitle({ name: automation?.name ?? '' })} lead={t.lead} narrow>
          <Allowed>{automation && <Editor id={automation.id} begin={draftOf(automation)} />}</Allowed>
        </Page>
      )}
    </Answer>
  );
}

/** A setting of the home can make its native automations read-only (decisions §7). */
export function useNativeRefusal(): string | undefined {
  const t = useTexts(nativeTexts);
  const { canManage } = useRights();
  const { privileges } = useHome();
  if (!canManage) return t.refusedRole;
  return privileges === 'view' ? t.refusedView : undefined;
}

function Allowed({ children }: { readonly children: ReactNode }) {
  const refusal = useNativeRefusal();
  return refusal ? <EmptyState title={refusal}>{null}</EmptyState> : children;
}

function Editor({ id, begin }: { readonly id?: string; readonly begin: NativeDraft }) {
  const t = useTexts(nativeTexts);
  const { id: homeId } = useHome();
  const [draft, setDraft] = useState(begin);
  const [wasTried, setWasTried] = useState(false);
  const [, navigate] = useLocation();
  const create = useApiMutation(CreateNative, { subjects: ['automations'] });
  const update = useApiMutation(UpdateNative, { subjects: ['automations'] });
  const faults = wasTried ? faultsOf(draft, Date.now()) : {};
  const { error, isPending } = id ? update : create;
  const save = async () => {
    setWasTried(true);
    if (Object.keys(faultsOf(draft, Date.now())).length > 0) return;
    const input = inputOf(draft);
    try {
      const saved = id
        ? (await update.mutateAsync({ automationId: id, ...input })).updateAutomation
        : (await create.mutateAsync({ homeId, ...input })).createAutomation;
      showToast({ text: id ? t.saved({ name: input.name }) : t.created({ name: input.name }) });
      navigate(saved ? pageOf('native', saved.id) : '/automations');
    } catch (refusal) {
      // The error is shown above the button.
      if (!(refusal instanceof ApiError)) throw refusal;
    }
  };
  return (
    <NativeForm
      draft={draft}
      onChange={setDraft}
      faults={withRefusal(faults, error)}
      isChanged={draft !== begin}
      isSaving={isPending}
      onSave={() => void save()}
      onCancel={() => navigate(id ? pageOf('native', id) : '/automations')}
      problem={error ? <ErrorNotice error={error} /> : undefined}
    />
  );
}

/** The relay names the invalid field: `trigger.events[0].offsetMinutes`. */
function withRefusal(
  faults: Readonly<Record<string, NativeFault>>,
  error: ApiError | null,
): Readonly<Record<string, NativeFault>> {
  const [place] = /^(trigger\.\w+|actions)\[\d+\]/.exec(error?.field ?? '') ?? [];
  return place ? { ...faults, [place]: 'value' } : faults;
}
