/** Creates and edits simple automations. Without permission, the page shows the reason. */

import nativeTexts from 'texts:native-automations';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../../api/api-error.ts';
import { useApiMutation, useApiQuery } from '../../../api/query.ts';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Answer, EmptyState, ErrorNotice, Page } from '../../../ui/page.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { pageOf } from '../list/addresses.ts';
import { faultsOf } from './native-check.ts';
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
  const [, navigate] = useLocation();
  const create = useApiMutation(CreateNative, { subjects: ['automations'] });
  const update = useApiMutation(UpdateNative, { subjects: ['automations'] });
  const { error } = id ? update : create;
  const form = useForm<NativeDraft>({
    initialValues: begin,
    validate: (draft) =>
      Object.fromEntries(Object.entries(faultsOf(draft, Date.now())).map(([path, fault]) => [path, t.faults[fault]])),
    onValuesChange: () => {
      if (Object.keys(form.errors).length > 0) void form.validate();
    },
  });
  const save = async (draft: NativeDraft) => {
    const input = inputOf(draft);
    try {
      const saved = id
        ? (await update.mutateAsync({ automationId: id, ...input })).updateAutomation
        : (await create.mutateAsync({ homeId, ...input })).createAutomation;
      showToast({ text: id ? t.saved({ name: input.name }) : t.created({ name: input.name }) });
      navigate(saved ? pageOf('native', saved.id) : '/automations');
    } catch (refusal) {
      if (!(refusal instanceof ApiError)) throw refusal;
      // The relay names the invalid field: `trigger.events[0].offsetMinutes`. The error itself is above the button.
      const [, list, index] = /^(trigger\.\w+|actions)\[(\d+)\]/.exec(refusal.field ?? '') ?? [];
      if (list) form.setFieldError(`${list}.${index}`, t.faults.value);
    }
  };
  return (
    <NativeForm
      form={form}
      onSave={save}
      onCancel={() => navigate(id ? pageOf('native', id) : '/automations')}
      problem={error ? <ErrorNotice error={error} /> : undefined}
    />
  );
}
