/** One automation: what it does, its next run, its last runs, a dry run, its versions and further actions. */
import detailsTexts from 'texts:automation';
import listTexts from 'texts:automations';
import commonTexts from 'texts:common';
import { ActionIcon, Button, Menu, Switch, Text } from '@mantine/core';
import { Ellipsis, Pencil, Play } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isNotFound } from '../../../api/api-error.ts';
import { present } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useRights } from '../../../home/use-home.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Columns } from '../../../ui/columns.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { lazyPart } from '../../../ui/load-part.ts';
import { Answer, EmptyState, Loading, Page, Section } from '../../../ui/page.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { FlowOutline } from '../flow/flow-outline.tsx';
import { clockTriggersOf, textOf } from '../flow/flow-record.ts';
import { useGraphView } from '../graph/steps-or-graph.tsx';
import { editPageOf, kindOf, LIST_PAGE, runsPageOf } from '../list/addresses.ts';
import { readFlow } from '../list/automation-list.ts';
import { NativeSummary } from '../list/native-summary.tsx';
import { NoPlaceNotice } from '../list/no-place-notice.tsx';
import { useNativeRefusal } from '../list/use-native-refusal.ts';
import { useRunNow } from '../list/use-run-now.ts';
import { useSwitching } from '../list/use-switching.ts';
import { NativeQuery } from '../native/native-document.ts';
import { draftOf, isByClock } from '../native/native-draft.ts';
import { RunList } from '../runs/run-list.tsx';
import classes from './details.module.css';
import { FlowQuery, MomentsQuery } from './details-document.ts';
import { type KeptAutomation, useKeeping } from './use-keeping.ts';
import { VersionsSection } from './versions-section.tsx';

const ExportBlueprintDialog = lazy(async () => ({
  default: (await import('../blueprints/export-blueprint.tsx')).ExportBlueprintDialog,
}));
const AutomationGraph = lazyPart(() => import('../graph/automation-graph.tsx'), 'AutomationGraph');
const DryRunPanel = lazy(async () => ({ default: (await import('../dry-run/dry-run-panel.tsx')).DryRunPanel }));

/** No event reports the end of a successful run. */
const LOOK_EVERY_MS = 3_000;

interface AutomationPageProps {
  readonly kind?: string;
  readonly automationId?: string;
}

export function AutomationPage({ kind, automationId = '' }: AutomationPageProps) {
  return kindOf(kind) === 'native' ? <NativePage id={automationId} /> : <FlowPage id={automationId} />;
}

function NativePage({ id }: { readonly id: string }) {
  const query = useApiQuery(NativeQuery, { automationId: id }, { subjects: ['automations'] });
  const refusal = useNativeRefusal();
  // It may have become a flow, with the same id.
  if (isNotFound(query.error)) return <FlowPage id={id} />;
  return (
    <Answer query={query}>
      {({ automation }) => {
        if (!automation) return <Missing />;
        const draft = draftOf(automation);
        return (
          <Details
            kept={{ kind: 'native', id, name: automation.name, isEnabled: automation.isEnabled, draft }}
            isEnabled={automation.isEnabled}
            lastRunAt={automation.lastFireDate}
            canEdit={refusal === undefined}
            hasTimes={isByClock(draft.trigger)}
            summary={<NativeSummary draft={draft} />}
          >
            {automation.trigger.activationState === 'disabledNoLocation' && <NoPlaceNotice />}
          </Details>
        );
      }}
    </Answer>
  );
}

function FlowPage({ id }: { readonly id: string }) {
  const query = useApiQuery(FlowQuery, { id }, { subjects: ['automations'] });
  const t = useTexts(detailsTexts);
  const { canManage } = useRights();
  const dataJson = query.data?.flow?.dataJson ?? '';
  const record = useMemo(() => readFlow(dataJson), [dataJson]);
  if (isNotFound(query.error)) return <Missing />;
  return (
    <Answer query={query}>
      {({ flow }) =>
        flow ? (
          <Details
            kept={{ kind: 'flows', id, name: flow.name, dataJson, hasWebhook: flow.webhookUrls.length > 0 }}
            isEnabled={flow.enabled}
            lastRunAt={flow.metadata.lastTriggeredAt}
            canEdit={canManage}
            hasTimes={record !== undefined && clockTriggersOf(record).length > 0}
            summary={
              record && (
                <>
                  {textOf(record, 'description') && (
                    <Text style={{ whiteSpace: 'pre-line' }} className="h-anywhere">
                      {textOf(record, 'description')}
                    </Text>
                  )}
                  <FlowOutline flow={record} />
                </>
              )
            }
            after={<VersionsSection flowId={id} now={record} canManage={canManage} />}
          >
            {flow.webhookUrls.length > 0 && (
              <Section title={t.webhooks} lead={t.webhooksLead}>
                {flow.webhookUrls.map((url) => (
                  <CopyField key={url} label={t.webhook} value={url} />
                ))}
              </Section>
            )}
          </Details>
        ) : (
          <Missing />
        )
      }
    </Answer>
  );
}

function Missing() {
  const t = useTexts(listTexts);
  return (
    <EmptyState isPage title={t.notFound} action={<Link href={LIST_PAGE}>{t.toList}</Link>}>
      {t.notFoundText}
    </EmptyState>
  );
}

interface DetailsProps {
  readonly kept: KeptAutomation;
  readonly isEnabled: boolean;
  /** ISO 8601. */
  readonly lastRunAt: string | null | undefined;
  readonly canEdit: boolean;
  /** The clock or the sun triggers it. */
  readonly hasTimes: boolean;
  readonly summary: ReactNode;
  /** Content between the summary and the runs. */
  readonly children: ReactNode;
  readonly after?: ReactNode;
}

function Details({ kept, isEnabled, lastRunAt, canEdit, hasTimes, summary, children, after }: DetailsProps) {
  const t = useTexts(detailsTexts);
  const list = useTexts(listTexts);
  const switching = useSwitching();
  const { id, kind, name } = kept;
  const entry = { id, kind, name, isEnabled };
  const isOn = switching.isOn(entry);
  const [isGraph, control] = useGraphView();
  const { canManage } = useRights();
  const [isTrying, setTrying] = useState(false);
  return (
    <Page
      title={name}
      above={<BackLink href={LIST_PAGE}>{list.title}</BackLink>}
      lead={
        lastRunAt && (
          <>
            {list.lastRun}: <TimeAgo at={lastRunAt} />
          </>
        )
      }
      narrow
      actions={<Actions kept={kept} canEdit={canEdit} />}
    >
      <Columns
        second={
          <>
            <Moments kept={kept} hasTimes={hasTimes && isOn} />
            {after}
          </>
        }
      >
        <Section title={t.does} actions={control}>
          {canEdit && (
            <Switch
              label={t.isOn}
              checked={isOn}
              onChange={({ currentTarget }) => switching.change(entry, currentTarget.checked)}
            />
          )}
          {!isOn && <Text c="dimmed">{t.off}</Text>}
          {isGraph ? (
            <Suspense fallback={<Loading />}>
              <AutomationGraph kind={kind} id={id} canEdit={canEdit} />
            </Suspense>
          ) : (
            summary
          )}
          {canManage && (
            <div>
              <Button variant="default" aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
                {t.openTry}
              </Button>
            </div>
          )}
        </Section>
        {isTrying && (
          <Section title={t.tryOut}>
            <Suspense fallback={<Loading />}>
              <DryRunPanel flowId={id} flow={kept.kind === 'flows' ? readFlow(kept.dataJson) : undefined} />
            </Suspense>
          </Section>
        )}
        {children}
      </Columns>
    </Page>
  );
}

function Actions({ kept, canEdit }: { readonly kept: KeptAutomation; readonly canEdit: boolean }) {
  const t = useTexts(detailsTexts);
  const list = useTexts(listTexts);
  const common = useTexts(commonTexts);
  const { canControl } = useRights();
  const run = useRunNow();
  const keeping = useKeeping(kept);
  const [isExporting, setExporting] = useState(false);
  const [, navigate] = useLocation();
  const { id, kind } = kept;
  const runAndShow = async () => {
    const traceId = await run(kept);
    if (traceId) navigate(runsPageOf(kind, id, traceId));
  };
  return (
    <>
      {canControl && (
        <Button
          variant="default"
          leftSection={<Play size={18} aria-hidden />}
          data-short
          title={list.run}
          onClick={() => void runAndShow()}
        >
          {list.run}
        </Button>
      )}
      {canEdit && (
        <Button
          component={Link}
          href={editPageOf(kind, id)}
          leftSection={<Pencil size={18} aria-hidden />}
          data-short
          title={common.edit}
        >
          {common.edit}
        </Button>
      )}
      {canEdit && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={44} data-short aria-label={t.more}>
              <Ellipsis size={20} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void keeping.duplicate()}>{t.duplicate}</Menu.Item>
            {kind === 'flows' && (
              <>
                <Menu.Item onClick={() => void keeping.exportAs('yaml')}>{t.exportYaml}</Menu.Item>
                <Menu.Item onClick={() => void keeping.exportAs('json')}>{t.exportJson}</Menu.Item>
              </>
            )}
            <Menu.Item onClick={() => setExporting(true)}>{t.exportBlueprint}</Menu.Item>
            <Menu.Divider />
            <Menu.Item c="var(--h-bad-ink)" onClick={() => void keeping.remove()}>
              {t.delete}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {isExporting && (
        <Suspense>
          <ExportBlueprintDialog automationId={id} name={kept.name} onClose={() => setExporting(false)} />
        </Suspense>
      )}
    </>
  );
}

interface MomentsProps {
  readonly kept: KeptAutomation;
  /** It may have next times. */
  readonly hasTimes: boolean;
}

function Moments({ kept: { id, kind }, hasTimes }: MomentsProps) {
  const t = useTexts(detailsTexts);
  const format = useFormat();
  const query = useApiQuery(MomentsQuery, { id }, { subjects: ['automations', 'traces'], everyMs: LOOK_EVERY_MS });
  return (
    <Answer query={query}>
      {({ nextFireDates, flowTraces }) => {
        const dates = present(nextFireDates);
        const runs = present(flowTraces);
        return (
          <>
            {hasTimes && (
              <Section title={t.next}>
                {dates.length > 0 ? (
                  <ul className={classes.moments}>
                    {dates.map((at) => (
                      <li key={at}>{format.soon(at)}</li>
                    ))}
                  </ul>
                ) : (
                  <Text c="dimmed">{t.noNext}</Text>
                )}
              </Section>
            )}
            <Section
              title={t.runs}
              actions={
                runs.length > 0 && (
                  <Button component={Link} href={runsPageOf(kind, id)} variant="default">
                    {t.allRuns}
                  </Button>
                )
              }
            >
              {runs.length > 0 ? (
                <RunList kind={kind} automationId={id} runs={runs} />
              ) : (
                <Text c="dimmed">{t.noRuns}</Text>
              )}
            </Section>
          </>
        );
      }}
    </Answer>
  );
}
