/** One automation in the list: its sentences, its switch, its last run and its next time. */
import runTexts from 'texts:automation-runs';
import listTexts from 'texts:automations';
import selectingTexts from 'texts:selecting';
import { Box, Button, Group, Switch } from '@mantine/core';
import { Play, Workflow } from 'lucide-react';
import { Link } from 'wouter';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Pick } from '../../../ui/pick.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import type { PickState } from '../../../ui/use-selecting.ts';
import { FlowSummary } from '../flow/flow-summary.tsx';
import { useNodeIcon } from '../flow/node-icon.ts';
import { blockedText } from '../runs/trace-words.ts';
import { useFailureWords } from '../runs/use-failure-words.ts';
import { pageOf, runsPageOf } from './addresses.ts';
import { type AutomationEntry, type AutomationStatus, troubleOf } from './automation-list.ts';
import classes from './automations.module.css';
import { firstTriggerOf } from './first-trigger.ts';
import { NativeSummary } from './native-summary.tsx';

/** The maximum number of lines in each part of a summary. */
const MAX_LINES = 2;

interface AutomationCardProps {
  readonly entry: AutomationEntry;
  /** Below the heading of its group. */
  readonly heading: 'h2' | 'h3';
  readonly status: AutomationStatus | undefined;
  readonly isOn: boolean;
  /** Undefined without permission. */
  readonly onSwitch: ((isOn: boolean) => void) | undefined;
  readonly onRun: (() => void) | undefined;
  /** While automations are being selected. */
  readonly pick: PickState | undefined;
}

export function AutomationCard({ entry, heading: Heading, status, isOn, onSwitch, onRun, pick }: AutomationCardProps) {
  const t = useTexts(listTexts);
  const { selectOne } = useTexts(selectingTexts);
  const { id, kind, name } = entry;
  const trigger = firstTriggerOf(entry);
  const triggerIcon = useNodeIcon('trigger', trigger ?? {});
  const Icon = trigger ? triggerIcon : Workflow;
  return (
    <li className={classes.card} data-off={isOn ? undefined : true}>
      <div className={classes.content} inert={pick !== undefined}>
        <div className={classes.cardHead}>
          <span className={classes.icon} data-on={isOn || undefined}>
            <Icon size={22} aria-hidden />
          </span>
          <Heading className={classes.name}>
            <Link href={pageOf(kind, id)}>{name}</Link>
          </Heading>
          {onSwitch ? (
            <Switch
              className={`${classes.above} ${classes.switch}`}
              size="lg"
              aria-label={t.switchOf({ name })}
              checked={isOn}
              onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
            />
          ) : (
            !isOn && <span className={classes.badge}>{t.off}</span>
          )}
        </div>
        <Box miw={0} flex={1} className="h-anywhere">
          {entry.kind === 'native' ? (
            <NativeSummary draft={entry.draft} most={MAX_LINES} />
          ) : (
            <FlowSummary flow={entry.flow} />
          )}
        </Box>
        <StatusBadge entry={entry} status={status} />
        <Group gap={8} justify="space-between" c="dimmed" fz="sm">
          <Facts entry={entry} status={status} isOn={isOn} />
          {onRun && (
            <Button
              className={classes.above ?? ''}
              m="-10px -10px -10px auto"
              variant="subtle"
              size="compact-md"
              mih={44}
              leftSection={<Play size={16} aria-hidden />}
              aria-label={`${t.run}: ${name}`}
              onClick={onRun}
            >
              {t.run}
            </Button>
          )}
        </Group>
      </div>
      {pick && <Pick label={selectOne({ name })} {...pick} />}
    </li>
  );
}

function Facts({
  entry,
  status,
  isOn,
}: Pick<AutomationCardProps, 'entry' | 'status'> & {
  readonly isOn: boolean;
}) {
  const t = useTexts(listTexts);
  const format = useFormat();
  // A badge shows that it runs.
  const isRunning = status?.last?.status === 'running';
  const lastAt = entry.lastRunAt ?? (status?.blockedReason ? null : (status?.last?.at ?? null));
  return (
    <Group component="span" gap="4px 16px" align="stretch" miw={0}>
      {lastAt && !isRunning && (
        <span>
          {t.lastRun}: <TimeAgo at={lastAt} />
        </span>
      )}
      {isOn && status?.nextAt && (
        <span>
          {t.next}: {format.soon(status.nextAt)}
        </span>
      )}
    </Group>
  );
}

function StatusBadge({ entry, status }: Pick<AutomationCardProps, 'entry' | 'status'>) {
  const t = useTexts(listTexts);
  const runs = useTexts(runTexts);
  const failureWords = useFailureWords();
  if (entry.isWithoutPlace) {
    return (
      <span className={classes.above}>
        <Link className={classes.badge} data-tone="note" href="/settings/home#place">
          {t.noPlace}
        </Link>
      </span>
    );
  }
  if (status?.last?.status === 'running') {
    return (
      <span className={classes.above}>
        <Link className={classes.badge} data-tone="note" href={runsPageOf(entry.kind, entry.id, status.last.id)}>
          {t.running}
        </Link>
      </span>
    );
  }
  const trouble = troubleOf(status);
  if (!trouble || !status?.last) return null;
  const why = status.blockedReason
    ? runs.blockedLead({ why: blockedText(status.blockedReason, runs) })
    : failureWords(status.last.failure);
  return (
    <span className={classes.above}>
      <Link
        className={classes.badge}
        data-tone={trouble === 'failed' ? 'bad' : 'note'}
        href={runsPageOf(entry.kind, entry.id, status.last.id)}
      >
        {trouble === 'held' ? (why ?? t.held) : why ? t.failedWith({ why }) : t.failed}
      </Link>
    </span>
  );
}
