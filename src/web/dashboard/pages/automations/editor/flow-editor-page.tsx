/** Making and changing a flow: what it begins with, then the editor. */
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'wouter';
import { graphql } from '../../../api/graphql.ts';
import { useAsk } from '../../../api/query.ts';
import { useHouse, useRights } from '../../../house/use-house.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Answer, EmptyState, Loading, Page } from '../../../ui/page.tsx';
import { emptyFlow, type FlowRecord, parseFlowText } from '../flow/flow-record.ts';
import { withIds } from '../flow/node-ids.ts';
import { TEMPLATE_KEYS, templatesFor } from '../flow/templates.ts';
import { readDraft } from './draft-store.ts';
import { StartChoices } from './start-choices.tsx';
import { editorTexts } from './texts/texts.ts';

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
  const house = useHouse();
  const [search] = useSearchParams();
  const draftKey = `new-${house.id}`;
  const [begun, setBegun] = useState<FlowRecord | undefined>(() => {
    const key = TEMPLATE_KEYS.find((one) => one === search.get('template'));
    const template = key && templatesFor(house, t.templates).get(key);
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
  const { id: homeId } = useHouse();
  // Read once: what others save meanwhile must not take away what is being written (`use-save-flow.ts` asks).
  const query = useAsk(FlowQuery, { flowId, homeId }, { subjects: [] });
  const [first, setFirst] = useState<{ readonly flow: FlowRecord; readonly version: number }>();
  return (
    <Answer query={query}>
      {({ flow }) => {
        if (!flow) return null;
        if (!first) {
          setFirst({ flow: withIds(parseFlowText(flow.dataJson)), version: flow.version });
          return null;
        }
        return (
          <Suspense fallback={<Loading />}>
            <FlowEditor saved={first.flow} version={first.version} flowId={flowId} draftKey={flowId} />
          </Suspense>
        );
      }}
    </Answer>
  );
}
