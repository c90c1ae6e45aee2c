/** The simulated actions and events, in the order of the simulated clock. */

import runTexts from 'texts:automation-runs';
import dryRunTexts from 'texts:dry-run';
import { Box, Text } from '@mantine/core';
import { useHome } from '../../../home/use-home.ts';
import { setText, useWords } from '../../../pickers/property-words.ts';
import { useFormat } from '../../../texts/format.ts';
import { isKeyOf, useTexts } from '../../../texts/texts.ts';
import shared from '../../../ui/shared.module.css';
import { blockedText } from '../runs/trace-words.ts';
import { useFailureWords } from '../runs/use-failure-words.ts';
import classes from './dry-run.module.css';
import { type ScenarioEvent, timelineOf } from './timeline.ts';

interface DryRunResultProps {
  readonly result: Parameters<typeof timelineOf>[0] & {
    readonly startedAt: string;
    readonly stopped?: string | null;
    readonly nextFireDates: readonly string[];
  };
}

export function DryRunResult({ result }: DryRunResultProps) {
  const t = useTexts(dryRunTexts);
  const format = useFormat();
  const sentences = useHappeningWords();
  const why = useFailureWords();
  const timeline = timelineOf(result);
  const beganAt = Date.parse(result.startedAt);
  return (
    <section className={classes.result} aria-label={t.result}>
      <Box component="h3" fz="md" m={0}>
        {t.result}
      </Box>
      <Text p="10px 14px" bdrs="var(--h-radius-small)" className={shared.note}>
        {t.nothingDone}
      </Text>
      <Text c="dimmed">{result.runs.length > 0 ? t.runs({ count: result.runs.length }) : t.nothing}</Text>
      {timeline.length > 0 && (
        <ol className={classes.timeline}>
          {timeline.map((happening, index) => (
            <li key={index} data-bad={isBad(happening) || undefined}>
              <Text span c="dimmed" fz="sm" lh="1.5rem" title={format.dateTime(happening.at)}>
                {happening.at - beganAt < 1000
                  ? t.sameMoment
                  : t.later({ span: format.duration(happening.at - beganAt) })}
              </Text>
              <Text span miw={0} className={shared.anywhere}>
                {sentences(happening)}
                {happening.kind === 'write' && happening.error && (
                  <Text span c="var(--h-bad-ink)">
                    {' '}
                    {t.notTaken({ why: why({ error: happening.error, reason: happening.code }) })}
                  </Text>
                )}
              </Text>
            </li>
          ))}
        </ol>
      )}
      {result.stopped && (
        <Text p="10px 14px" bdrs="var(--h-radius-small)" className={shared.note}>
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

function isBad(happening: ScenarioEvent): boolean {
  return happening.kind === 'failure' || (happening.kind === 'write' && happening.error !== null);
}

function useHappeningWords(): (happening: ScenarioEvent) => string {
  const t = useTexts(dryRunTexts);
  const runs = useTexts(runTexts);
  const why = useFailureWords();
  const inventory = useHome();
  const words = useWords();
  return (happening) => {
    switch (happening.kind) {
      case 'write':
        if (happening.operation && happening.operation !== 'set') {
          return t.operation({ operation: happening.operation, name: happening.accessoryName });
        }
        return setText(inventory, happening, happening.value, words, happening.accessoryName);
      case 'notification':
        return happening.title
          ? t.notifyTitled({ title: happening.title, message: happening.message })
          : t.notify({ message: happening.message });
      case 'request':
        return t.request({ method: happening.method, url: happening.url });
      case 'event':
        return t.event({ type: happening.eventType });
      case 'command': {
        const { action, automationName: name } = happening;
        return isKeyOf(t.commands, action) ? t.commands[action]({ name }) : name;
      }
      case 'blocked':
        return t.blocked({ name: happening.automationName, why: blockedText(happening.reason, runs) });
      case 'failure':
        return t.failed({ why: why(happening.failure) });
    }
  };
}
