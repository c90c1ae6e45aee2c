/** Creates or edits a flow: the start choices, then the editor. */

import editorTexts from 'texts:automation-editor';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'wouter';
import { graphql, type ResultOf } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Answer, EmptyState, Loading, Page } from '../../../ui/page.tsx';
import { emptyFlow, type FlowRecord, parseFlowText } from '../flow/flow-record.ts';
import { withIds } from '../flow/node-ids.ts';
import { TEMPLATE_KEYS, templatesFor } from '../flow/templates.ts';
import { readDraft } from './draft-store.ts';
import { StartChoices } from './start-choices.tsx';

const FlowEditor = lazy(async () => ({ default: (await import('./flow-editor.tsx')).FlowEditor }));

const FlowQuery = graphql(`
  query FlowToEdit($flowId: String!, $homeId: String!) {
    flow(flowId: $flowId, homeId: $homeId) {
      id
      version
      dataJson
    }
  }
`);

export function FlowEditorPage({ flowId }: { readonly flowId?: string | undefined }) {
  const t = useTexts(editorTexts);
  const { canManage } = useRights();
  if (!canManage) {
    return (
      <Page title={flowId === undefined ? t.newTitle : t.editTitle} narrow>
        <EmptyState title={t.editTitle}>{t.notAllowed}</EmptyState>
      </Page>
    );
  }
  return flowId === undefined ? <NewFlow /> : <StoredFlow key={flowId} flowId={flowId} />;
}

function NewFlow() {
  const t = useTexts(editorTexts);
  const inventory = useHome();
  const [search] = useSearchParams();
  const draftKey = `new-${inventory.id}`;
  const [begun, setBegun] = useState<FlowRecord | undefined>(() => {
    const key = TEMPLATE_KEYS.find((one) => one === search.get('template'));
    const template = key && templatesFor(inventory, t.templates).get(key);
    return template ?? (search.has('empty') ? emptyFlow(t.newName) : readDraft(draftKey)?.flow);
  });
  if (!begun) return <StartChoices choose={setBegun} />;
  return (
    <Suspense fallback={<Loading />}>
      <FlowEditor
        {...{ saved: begun, version: undefined, flowId: undefined, draftKey }}
        startOver={() => setBegun(undefined)}
      />
    </Suspense>
  );
}

function StoredFlow({ flowId }: { readonly flowId: string }) {
  const { id: homeId } = useHome();
  const query = useApiQuery(FlowQuery, { flowId, homeId }, { subjects: [] });
  return <Answer query={query}>{({ flow }) => flow && <OpenedFlow flow={flow} />}</Answer>;
}

interface OpenedFlowProps {
  readonly flow: NonNullable<ResultOf<typeof FlowQuery>['flow']>;
}

/**
 * The flow in its state at opening: saves by other users must not replace unsaved changes (`use-save-flow.ts` asks).
 */
function OpenedFlow({ flow }: OpenedFlowProps) {
  const [opened] = useState(() => ({ saved: withIds(parseFlowText(flow.dataJson)), version: flow.version }));
  return (
    <Suspense fallback={<Loading />}>
      <FlowEditor {...opened} flowId={flow.id} draftKey={flow.id} />
    </Suspense>
  );
}
