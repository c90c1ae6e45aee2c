/** What the accessory did in the last day. */
import accessoryTexts from 'texts:accessory';
import { Text } from '@mantine/core';
import { Link } from 'wouter';
import type { HomeAccessory } from '../../home/home-document.ts';
import { useTexts } from '../../texts/texts.ts';
import { Answer, Section } from '../../ui/page.tsx';
import classes from './accessory-page.module.css';
import { DayPlots } from './day-plots.tsx';
import { daySeriesOf } from './day-series.ts';
import { useRecording } from './use-recording.ts';

export function DaySection({ accessory }: { readonly accessory: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  const recording = useRecording();
  const { id: accessoryId } = accessory;
  const link = (
    <Link href={`/history?accessory=${encodeURIComponent(accessoryId)}`} className={classes.sectionLink ?? ''}>
      {t.history}
    </Link>
  );
  return (
    <Section title={t.day} actions={link}>
      <Answer query={recording}>
        {({ historyStorageStats }) =>
          historyStorageStats?.enabled ? (
            <DayPlots
              series={daySeriesOf(accessory).map((characteristicType) => ({ accessoryId, characteristicType }))}
            />
          ) : (
            <Text c="dimmed" m={0}>
              {t.notRecorded} <Link href="/history">{t.toRecording}</Link>
            </Text>
          )
        }
      </Answer>
    </Section>
  );
}
