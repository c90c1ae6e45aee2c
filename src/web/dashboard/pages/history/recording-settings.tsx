/** What is recorded, how often and for how long. For admins of the home. */
import '../../ui/unseen.css';
import commonTexts from 'texts:common';
import historyTexts from 'texts:history';
import { Box, Button, Group, NumberInput, Stack, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { act } from '../../api/client.ts';
import { useApiMutation } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { propertyName, useWords } from '../../pickers/property-words.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { confirm } from '../../ui/confirm.ts';
import { EntityDialog } from '../../ui/entity-dialog.tsx';
import { numberIn } from '../../ui/number-in.ts';
import { ErrorNotice, Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import {
  PurgeHistory,
  type SeriesInfo,
  SetHistoryEnabled,
  SetRetention,
  SetSeries,
  SetSharedAnalytics,
  type StorageStats,
} from './documents.ts';
import classes from './history.module.css';
import { seriesKey } from './window.ts';

const SUBJECTS = ['history'] as const;

interface RecordingSettingsProps {
  readonly all: readonly SeriesInfo[];
  readonly stats: StorageStats;
}

export function RecordingSettings({ all, stats }: RecordingSettingsProps) {
  const t = useTexts(historyTexts);
  const format = useFormat();
  const series = t.kept({ count: stats.seriesCount });
  return (
    <Section title={t.settings} lead={t.settingsLead}>
      <HomeSwitches stats={stats} />
      <p>
        {t.stats({ samples: format.number(stats.sampleRows), series, bytes: format.bytes(stats.estBytes) })}{' '}
        {stats.oldestTs !== null && t.oldest({ when: format.date(stats.oldestTs) })}
      </p>
      <SeriesTable all={all} />
      <PurgeButton />
    </Section>
  );
}

function HomeSwitches({ stats }: { readonly stats: StorageStats }) {
  const t = useTexts(historyTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const enable = useApiMutation(SetHistoryEnabled, { subjects: SUBJECTS });
  const share = useApiMutation(SetSharedAnalytics, { subjects: SUBJECTS });
  const retain = useApiMutation(SetRetention, { subjects: SUBJECTS });
  const setEnabled = (enabled: boolean) => {
    enable.mutate({ homeId, enabled });
    if (enabled) return;
    showToast({ text: t.stopped, action: { label: common.undo, run: () => enable.mutate({ homeId, enabled: true }) } });
  };
  const form = useForm<{ days: number | string }>({ initialValues: { days: stats.rawRetentionDays } });
  const submit = ({ days }: typeof form.values) =>
    retain.mutate({ homeId, days: Number(days) }, { onSuccess: () => showToast({ text: t.saved }) });
  const error = enable.error ?? share.error ?? retain.error;
  return (
    <Stack>
      {error && <ErrorNotice error={error} />}
      <Switch
        label={t.recording}
        checked={stats.enabled}
        onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
      />
      <Switch
        label={t.shared}
        checked={stats.sharedAnalyticsEnabled}
        onChange={({ currentTarget }) => share.mutate({ homeId, enabled: currentTarget.checked })}
      />
      <form onSubmit={form.onSubmit(submit)}>
        <Group align="flex-end">
          <NumberInput
            label={t.retention}
            description={t.retentionHint}
            min={1}
            allowDecimal={false}
            {...form.getInputProps('days')}
          />
          <Button type="submit" variant="default" loading={retain.isPending}>
            {common.save}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}

function SeriesTable({ all }: { readonly all: readonly SeriesInfo[] }) {
  const t = useTexts(historyTexts);
  const common = useTexts(commonTexts);
  const { texts } = useWords();
  const { id: homeId } = useHome();
  const format = useFormat();
  const set = useApiMutation(SetSeries, { subjects: SUBJECTS });
  const [edited, setEdited] = useState<SeriesInfo>();
  const nameOf = (one: SeriesInfo) => `${one.accessoryName}: ${propertyName(one.characteristicType, texts)}`;
  const sorted = [...all].sort((a, b) => format.compare(nameOf(a), nameOf(b)));
  return (
    <>
      {set.error && <ErrorNotice error={set.error} />}
      <Box component="section" style={{ overflowX: 'auto' }} tabIndex={0} aria-label={t.settings}>
        <table className={classes.table}>
          <thead className="h-unseen-phone">
            <tr>
              {[t.series, t.record, t.samples, ''].map((name) => (
                <th key={name} scope="col">
                  {name || <span hidden>{common.edit}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map((one) => (
              <tr key={seriesKey(one)}>
                <th scope="row">{nameOf(one)}</th>
                <td>
                  <Switch
                    aria-label={`${t.record}: ${nameOf(one)}`}
                    checked={one.enabled}
                    onChange={({ currentTarget }) =>
                      set.mutate({ homeId, ...refOf(one), enabled: currentTarget.checked })
                    }
                  />
                </td>
                <td>{format.number(one.sampleCount)}</td>
                <td>
                  <Button
                    size="compact-md"
                    variant="default"
                    aria-label={t.editSeries({ name: nameOf(one) })}
                    onClick={() => setEdited(one)}
                  >
                    {common.edit}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
      {edited && <SeriesDialog series={edited} name={nameOf(edited)} onClose={() => setEdited(undefined)} />}
    </>
  );
}

interface SeriesDialogProps {
  readonly series: SeriesInfo;
  readonly name: string;
  readonly onClose: () => void;
}

function SeriesDialog({ series, name, onClose }: SeriesDialogProps) {
  const t = useTexts(historyTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const { minIntervalS, deadband, retentionDays } = series;
  return (
    <EntityDialog
      title={t.editSeries({ name })}
      action={common.save}
      initialValues={{ minIntervalS, deadband, retentionDays } as Record<SeriesField, number | string>}
      subjects={SUBJECTS}
      onSubmit={async (values) => {
        await act(SetSeries, {
          ...{ homeId, ...refOf(series) },
          minIntervalS: numberIn(values.minIntervalS),
          deadband: series.kind === 'numeric' ? numberIn(values.deadband) : null,
          retentionDays: numberIn(values.retentionDays),
        });
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <NumberInput label={t.every} min={0} {...form.getInputProps('minIntervalS')} />
          {series.kind === 'numeric' && <NumberInput label={t.deadband} min={0} {...form.getInputProps('deadband')} />}
          <NumberInput label={t.keep} min={1} {...form.getInputProps('retentionDays')} />
        </>
      )}
    </EntityDialog>
  );
}

type SeriesField = 'minIntervalS' | 'deadband' | 'retentionDays';

function PurgeButton() {
  const t = useTexts(historyTexts);
  const { id: homeId } = useHome();
  const purge = useApiMutation(PurgeHistory, { subjects: SUBJECTS });
  const ask = async () => {
    const agreed = await confirm({ title: t.purgeTitle, body: t.purgeText, action: t.purgeAct, isDangerous: true });
    if (agreed) purge.mutate({ homeId }, { onSuccess: () => showToast({ text: t.purged }) });
  };
  return (
    <div>
      {purge.error && <ErrorNotice error={purge.error} />}
      <Button variant="default" loading={purge.isPending} onClick={() => void ask()}>
        {t.purge}
      </Button>
    </div>
  );
}

function refOf({ accessoryId, characteristicType }: SeriesInfo) {
  return { accessoryId, characteristicType };
}
