/** The editor of automations: a new one, or a stored one of either kind. */
import editorTexts from 'texts:automation-editor';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'wouter';
import { graphql } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Answer, EmptyState, Loading, Page } from '../../../ui/page.tsx';
import { emptyDraft, type FlowRecord, parseFlowText } from '../flow/flow-record.ts';
import { withIds } from '../flow/node-ids.ts';
import { TEMPLATE_KEYS, templatesFor } from '../flow/templates.ts';
import { kindOf } from '../list/addresses.ts';
import { useNativeRefusal } from '../list/use-native-refusal.ts';

const AutomationEditor = lazy(async () => ({ default: (await import('./automation-editor.tsx')).AutomationEditor }));

const FlowToEdit = graphql(`
  query FlowToEdit($id: String!, $homeId: String!) {
    flow(flowId: $id, homeId: $homeId) {
      id
      version
      dataJson
    }
  }
`);

const NativeToEdit = graphql(`
  query NativeToEdit($id: String!, $homeId: String!) {
    automation(automationId: $id, homeId: $homeId) {
      id
      dataJson
    }
  }
`);

interface EditorPageProps {
  readonly kind?: string;
  readonly automationId?: string;
}

export function EditorPage({ kind, automationId }: EditorPageProps) {
  const t = useTexts(editorTexts);
  const { canManage } = useRights();
  const nativeRefusal = useNativeRefusal();
  const isNative = automationId !== undefined && kindOf(kind) === 'native';
  const refusal = isNative ? nativeRefusal : canManage ? undefined : t.notAllowed;
  if (refusal) {
    return (
      <Page title={automationId === undefined ? t.newTitle : t.editTitle} narrow>
        <EmptyState title={t.editTitle}>{refusal}</EmptyState>
      </Page>
    );
  }
  if (automationId === undefined) return <NewAutomation />;
  return isNative ? <Native key={automationId} id={automationId} /> : <Flow key={automationId} id={automationId} />;
}

function NewAutomation() {
  const t = useTexts(editorTexts);
  const inventory = useHome();
  const [search] = useSearchParams();
  const [begun] = useState(() => {
    const key = TEMPLATE_KEYS.find((one) => one === search.get('template'));
    return key && templatesFor(inventory, t.templates).get(key);
  });
  return (
    <Suspense fallback={<Loading />}>
      <AutomationEditor saved={EMPTY} {...(begun && { begun })} draftKey={`new-${inventory.id}`} />
    </Suspense>
  );
}

const EMPTY = emptyDraft();

function Native({ id }: { readonly id: string }) {
  const { id: homeId } = useHome();
  const query = useApiQuery(NativeToEdit, { id, homeId }, { subjects: [] });
  return (
    <Answer query={query}>
      {({ automation }) => automation && <Opened id={automation.id} kind="native" dataJson={automation.dataJson} />}
    </Answer>
  );
}

function Flow({ id }: { readonly id: string }) {
  const { id: homeId } = useHome();
  const query = useApiQuery(FlowToEdit, { id, homeId }, { subjects: [] });
  return <Answer query={query}>{({ flow }) => flow && <Opened {...flow} kind="flows" />}</Answer>;
}

interface OpenedProps {
  readonly id: string;
  readonly kind: 'native' | 'flows';
  readonly version?: number;
  readonly dataJson: string;
}

/**
 * The automation in its state at opening: saves by other users must not replace unsaved changes (`use-save.ts` asks).
 */
function Opened({ id, kind, version, dataJson }: OpenedProps) {
  const [saved] = useState((): FlowRecord => withIds(parseFlowText(dataJson)));
  const [stored] = useState({ id, kind, version });
  return (
    <Suspense fallback={<Loading />}>
      <AutomationEditor saved={saved} stored={stored} draftKey={id} />
    </Suspense>
  );
}
