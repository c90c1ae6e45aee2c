/** What is recorded, how often and for how long. For admins of the home. */
import commonTexts from 'texts:common';
import historyTexts from 'texts:history';
import { Box, Button, Group, Modal, NumberInput, Stack, Switch } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useApiMutation } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { propertyName, useWords } from '../../pickers/property-words.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { confirm } from '../../ui/confirm.tsx';
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
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const days = Number(new FormData(event.currentTarget).get('days'));
    retain.mutate({ homeId, days }, { onSuccess: () => showToast({ text: t.saved }) });
  };
  const error = enable.error ?? share.error ?? retain.error;
  return (
    <Stack>
      {error && <ErrorNotice error={error} />}
      <Switch
        size="md"
        label={t.recording}
        checked={stats.enabled}
        onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
      />
      <Switch
        size="md"
        label={t.shared}
        checked={stats.sharedAnalyticsEnabled}
        onChange={({ currentTarget }) => share.mutate({ homeId, enabled: currentTarget.checked })}
      />
      <form onSubmit={submit}>
        <Group align="flex-end">
          <NumberInput
            name="days"
            label={t.retention}
            description={t.retentionHint}
            defaultValue={stats.rawRetentionDays}
            min={1}
            allowDecimal={false}
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
          <thead>
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
                    size="md"
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
      <Modal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited && t.editSeries({ name: nameOf(edited) })}
        closeButtonProps={{ 'aria-label': common.close }}
      >
        {edited && <SeriesForm series={edited} onDone={() => setEdited(undefined)} />}
      </Modal>
    </>
  );
}

function SeriesForm({ series, onDone }: { readonly series: SeriesInfo; readonly onDone: () => void }) {
  const t = useTexts(historyTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const set = useApiMutation(SetSeries, { subjects: SUBJECTS, onDone });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const numberOf = (field: string) => {
      const text = String(form.get(field) ?? '').trim();
      return text === '' ? null : Number(text);
    };
    set.mutate({
      ...{ homeId, ...refOf(series) },
      minIntervalS: numberOf('minIntervalS'),
      deadband: numberOf('deadband'),
      retentionDays: numberOf('retentionDays'),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {set.error && <ErrorNotice error={set.error} />}
        <NumberInput name="minIntervalS" label={t.every} defaultValue={series.minIntervalS} min={0} />
        {series.kind === 'numeric' && (
          <NumberInput name="deadband" label={t.deadband} defaultValue={series.deadband} min={0} />
        )}
        <NumberInput name="retentionDays" label={t.keep} defaultValue={series.retentionDays} min={1} />
        <Group justify="flex-end">
          <Button type="submit" loading={set.isPending}>
            {common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

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
