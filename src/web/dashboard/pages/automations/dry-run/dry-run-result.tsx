import { useFormat } from '../../../texts/format.ts';
/** The simulated actions and events, in the order of the simulated clock. */

import runTexts from 'texts:automation-runs';
import dryRunTexts from 'texts:dry-run';
import { Box, Text } from '@mantine/core';
import { useHome } from '../../../home/use-home.ts';
import { setText, useWords } from '../../../pickers/property-words.ts';
import { isKeyOf, useTexts } from '../../../texts/texts.ts';
import { blockedText } from '../runs/trace-words.ts';
import { useFailureWords } from '../runs/use-failure-words.ts';
import classes from './dry-run.module.css';
import { type TimelineEvent, timelineOf, unmetRunsOf } from './timeline.ts';

interface DryRunResultProps {
  readonly result: Parameters<typeof timelineOf>[0] & {
    readonly startedAt: string;
    readonly stopped?: string | null;
    readonly nextFireDates: readonly string[];
  };
  /** A condition of the automation as a sentence, by its place, or all of them. */
  readonly conditionText: (index: number | undefined) => string | undefined;
}

export function DryRunResult({ result, conditionText }: DryRunResultProps) {
  const t = useTexts(dryRunTexts);
  const format = useFormat();
  const sentences = useEventText();
  const why = useFailureWords();
  const timeline = timelineOf(result);
  const { unmet, done } = unmetRunsOf(result);
  const [whyNot] = unmet;
  const beganAt = Date.parse(result.startedAt);
  return (
    <section className={classes.result} aria-label={t.result}>
      <Box component="h3" fz="md" m={0}>
        {t.result}
      </Box>
      <Text p="10px 14px" bdrs="var(--h-radius-small)" className="h-note">
        {t.nothingDone}
      </Text>
      {done > 0 && <Text c="dimmed">{t.runs({ count: done })}</Text>}
      {result.runs.length === 0 && <Text c="dimmed">{t.nothing}</Text>}
      {whyNot && (
        <Text p="10px 14px" bdrs="var(--h-radius-small)" className="h-note h-anywhere">
          {t.notMet({ time: format.time(whyNot.at), condition: conditionText(whyNot.index) ?? whyNot.summary })}
          {unmet.length > 1 && ` ${t.notMetTimes({ count: unmet.length })}`}
        </Text>
      )}
      {timeline.length > 0 && (
        <ol className={classes.timeline}>
          {timeline.map((timedEvent, index) => (
            <li key={index} data-bad={isBad(timedEvent) || undefined}>
              <Text span c="dimmed" fz="sm" lh="1.5rem" title={format.dateTime(timedEvent.at)}>
                {timedEvent.at - beganAt < 1000
                  ? t.sameMoment
                  : t.later({ span: format.duration(timedEvent.at - beganAt) })}
              </Text>
              <Text span miw={0} className="h-anywhere">
                {sentences(timedEvent)}
                {timedEvent.kind === 'write' && timedEvent.error && (
                  <Text span c="var(--h-bad-ink)">
                    {' '}
                    {t.notTaken({ why: why({ error: timedEvent.error, reason: timedEvent.code }) })}
                  </Text>
                )}
              </Text>
            </li>
          ))}
        </ol>
      )}
      {result.stopped && (
        <Text p="10px 14px" bdrs="var(--h-radius-small)" className="h-note">
          {t.stopped}
        </Text>
      )}
      {result.nextFireDates.length > 0 && (
        <>
          <Box component="h4" fz="md" m={0}>
            {t.next}
          </Box>
          <Box component="ul" m={0} ps={20}>
            {result.nextFireDates.map((at) => (
              <li key={at}>{format.soon(at)}</li>
            ))}
          </Box>
        </>
      )}
    </section>
  );
}

function isBad(timedEvent: TimelineEvent): boolean {
  return timedEvent.kind === 'failure' || (timedEvent.kind === 'write' && timedEvent.error !== null);
}

function useEventText(): (timedEvent: TimelineEvent) => string {
  const t = useTexts(dryRunTexts);
  const runs = useTexts(runTexts);
  const why = useFailureWords();
  const inventory = useHome();
  const words = useWords();
  return (timedEvent) => {
    switch (timedEvent.kind) {
      case 'write':
        if (timedEvent.operation && timedEvent.operation !== 'set') {
          return t.operation({ operation: timedEvent.operation, name: timedEvent.accessoryName });
        }
        return setText(inventory, timedEvent, timedEvent.value, words, timedEvent.accessoryName);
      case 'notification':
        return timedEvent.title
          ? t.notifyTitled({ title: timedEvent.title, message: timedEvent.message })
          : t.notify({ message: timedEvent.message });
      case 'request':
        return t.request({ method: timedEvent.method, url: timedEvent.url });
      case 'event':
        return t.event({ type: timedEvent.eventType });
      case 'command': {
        const { action, automationName: name } = timedEvent;
        return isKeyOf(t.commands, action) ? t.commands[action]({ name }) : name;
      }
      case 'blocked':
        return t.blocked({ name: timedEvent.automationName, why: blockedText(timedEvent.reason, runs) });
      case 'failure':
        return t.failed({ why: why(timedEvent.failure) });
    }
  };
}
