/** One run, step by step, live. */
import runTexts from 'texts:automation-runs';
import { Button, Group } from '@mantine/core';
import { Workflow } from 'lucide-react';
import { Suspense } from 'react';
import { Link } from 'wouter';
import { isNotFound } from '../../../api/api-error.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Columns } from '../../../ui/columns.tsx';
import { lazyPart } from '../../../ui/load-part.ts';
import { Answer, EmptyState, Loading, Page, Section } from '../../../ui/page.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { useGraphView } from '../graph/steps-or-graph.tsx';
import { useRunFlow } from '../graph/use-run-flow.ts';
import { type AutomationKind, kindOf, pageOf, runsPageOf } from '../list/addresses.ts';
import { JsonView } from './json-view.tsx';
import { PathLine } from './path-line.tsx';
import { RunBadge } from './run-badge.tsx';
import classes from './runs.module.css';
import { type Run, RunQuery, type RunStep } from './runs-document.ts';
import { StepsView } from './steps-view.tsx';
import { blockedText, runStateOf, tipFor, toneOf } from './trace-words.ts';
import { useFailureWords } from './use-failure-words.ts';
import { useNativeStepWords } from './use-native-step-words.ts';
import { useStepWords } from './use-step-words.ts';
import { useTriggerWords } from './use-trigger-words.ts';

const RunGraph = lazyPart(() => import('../graph/run-graph.tsx'), 'RunGraph');

const WHILE_RUNNING_MS = 1_000;

interface RunPageProps {
  readonly kind?: string;
  readonly automationId?: string;
  readonly traceId?: string;
}

export function RunPage({ kind: kindText, automationId = '', traceId = '' }: RunPageProps) {
  const t = useTexts(runTexts);
  const kind = kindOf(kindText);
  const first = useApiQuery(RunQuery, { traceId }, { subjects: ['traces'] });
  const isRunning = first.data?.flowTrace?.status === 'running';
  const query = useApiQuery(
    RunQuery,
    { traceId },
    { subjects: ['traces'], ...(isRunning && { everyMs: WHILE_RUNNING_MS }) },
  );
  if (isNotFound(query.error) && !query.data) return <Gone kind={kind} automationId={automationId} />;
  return (
    <Answer query={query}>
      {({ flowTrace }) =>
        flowTrace && (
          <Page
            title={t.titleOfOne({ name: flowTrace.automationName })}
            narrow
            above={<BackLink href={runsPageOf(kind, automationId)}>{t.all}</BackLink>}
            actions={
              <Button
                component={Link}
                href={pageOf(kind, automationId)}
                variant="default"
                leftSection={<Workflow size={18} aria-hidden />}
                data-short
                title={t.automation}
              >
                {t.automation}
              </Button>
            }
          >
            <RunView run={flowTrace} kind={kind} />
          </Page>
        )
      }
    </Answer>
  );
}

function Gone({ kind, automationId }: { readonly kind: AutomationKind; readonly automationId: string }) {
  const t = useTexts(runTexts);
  const links = (
    <Group gap="8px 20px">
      <Link href={runsPageOf(kind, automationId)}>{t.all}</Link>
      <Link href={pageOf(kind, automationId)}>{t.automation}</Link>
    </Group>
  );
  return (
    <EmptyState isPage title={t.gone} action={links}>
      {t.goneText}
    </EmptyState>
  );
}

function RunView({ run, kind }: { readonly run: Run; readonly kind: AutomationKind }) {
  const t = useTexts(runTexts);
  const { duration } = useFormat();
  const triggerWords = useTriggerWords();
  const { status, blockedReason, error, startedAt, finishedAt, chain, triggerData, variables } = run;
  const why = useFailureWords();
  // A run that a user restarts or stops is not a failure.
  const isFailure = toneOf(runStateOf({ status, blockedReason: null })) === 'bad';
  // A stop step with an error is intentional: its own message explains what to do.
  const isMeant = run.steps.at(-1)?.nodeType === 'stop';
  const hasVariables = typeof variables === 'object' && variables !== null && Object.keys(variables).length > 0;
  const ran = useRunFlow(kind, run);
  const { flow, isNative, changedSince } = ran.data ?? {};
  const flowWords = useStepWords(flow);
  const nativeWords = useNativeStepWords(flow);
  // Steps outside the automation, such as a user's action, are described from the run's own data.
  const describe = (step: RunStep) =>
    (isNative ? nativeWords : flowWords)(step) ?? (step.type === 'trigger' ? triggerWords(triggerData) : undefined);
  const fired = run.steps.find(({ type }) => type === 'trigger');
  const done = run.steps.filter((step) => step !== fired);
  const isWhole = status === 'success' || status === 'cancelled';
  const [isGraph, control] = useGraphView();
  return (
    <Columns
      second={
        (!blockedReason || hasVariables) && (
          <>
            {!blockedReason && (
              <Section
                title={t.steps}
                actions={control}
                lead={
                  changedSince === 'then' && (
                    <>
                      {t.asItWas} <Link href={pageOf(kind, run.automationId)}>{t.asItIs}</Link>
                    </>
                  )
                }
              >
                {isGraph ? (
                  <Suspense fallback={<Loading />}>
                    <Answer query={ran}>{(data) => data && <RunGraph ran={data} run={run} isWhole={isWhole} />}</Answer>
                  </Suspense>
                ) : (
                  <>
                    <PathLine steps={done} isWhole={isWhole} describe={describe} />
                    <StepsView steps={done} describe={describe} />
                  </>
                )}
              </Section>
            )}
            {hasVariables && (
              <Section title={t.variables}>
                <JsonView value={variables} />
              </Section>
            )}
          </>
        )
      }
    >
      <Group gap="8px 20px" aria-live="polite">
        <RunBadge status={status} blockedReason={blockedReason} />
        <span>
          {t.began} <TimeAgo at={startedAt} />
        </span>
        {finishedAt && !blockedReason && (
          <span>
            {t.took} {duration(Date.parse(finishedAt) - Date.parse(startedAt))}
          </span>
        )}
      </Group>
      {blockedReason && (
        <div className={classes.notice}>
          <p>{t.blockedLead({ why: blockedText(blockedReason, t) })}</p>
          {chain && chain.length > 0 && <p>{chain.join(' → ')}</p>}
        </div>
      )}
      {error && !blockedReason && (
        <div className={classes.notice} data-tone={isFailure ? 'bad' : 'calm'}>
          <p>{why(run)}</p>
          {isFailure && !isMeant && <p>{t.tips[tipFor(run, status)]}</p>}
        </div>
      )}
      <Section title={t.trigger} lead={(fired && describe(fired)) ?? triggerWords(triggerData)}>
        <details className={classes.details}>
          <summary>{t.details}</summary>
          <JsonView value={triggerData} />
        </details>
      </Section>
    </Columns>
  );
}
