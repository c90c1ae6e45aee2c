/**
 * Tries an automation, saved or still in the editor, in a simulated home with a simulated clock. The result is a list
 * of sentences.
 */
import dryRunTexts from 'texts:dry-run';
import { ActionIcon, Button, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { MAX_SIMULATED_MS } from '../../../../../home/vocabulary/limits.ts';
import { graphql } from '../../../api/graphql.ts';
import { useApiMutation } from '../../../api/query.ts';
import { useHomeZone } from '../../../home/home-zone.ts';
import { useHome } from '../../../home/use-home.ts';
import { AccessoryPropertyPicker } from '../../../pickers/accessory-property-picker.tsx';
import { DurationInput } from '../../../pickers/duration-input.tsx';
import { findProperty, firstValueOf, type Property } from '../../../pickers/property.ts';
import { useWords, whenText } from '../../../pickers/property-words.ts';
import { ValueInput } from '../../../pickers/value-input.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { momentOf, wallText } from '../../../texts/wall-time.ts';
import { ErrorNotice } from '../../../ui/page.tsx';
import { type FlowRecord, nodesOf } from '../flow/flow-record.ts';
import { useSentences } from '../flow/use-sentences.ts';
import classes from './dry-run.module.css';
import { DryRunResult } from './dry-run-result.tsx';
import { type Pretended, scenarioOf, type Trial } from './timeline.ts';

export const SimulateFlow = graphql(`
  query Simulate($flowId: String, $homeId: String, $data: JSON, $scenario: JSON) {
    simulateFlow(flowId: $flowId, homeId: $homeId, data: $data, scenario: $scenario) {
      automationId
      automationName
      startedAt
      endedAt
      stopped
      runs
      writes
      notifications
      requests
      events
      commands
      blocked
      nextFireDates
    }
  }
`);

const DAY_MS = 86_400_000;
/** One hour is enough for a run that starts at once. */
const FIRST_LENGTH_MS = 3_600_000;

interface DryRunPanelProps {
  /** The id of a flow or a native automation; none for an unsaved one. */
  readonly flowId?: string | undefined;
  /** The edited flow as `saveFlow` takes it. */
  readonly data?: unknown;
  /** The flow that is tried, for sentences about it. */
  readonly flow?: FlowRecord | undefined;
}

export function DryRunPanel({ flowId, data, flow }: DryRunPanelProps) {
  const t = useTexts(dryRunTexts);
  const { id: homeId } = useHome();
  const zone = useHomeZone();
  const [trial, setTrial] = useState<Trial>({
    isAtOnce: true,
    start: '',
    lengthMs: FIRST_LENGTH_MS,
    changes: [],
    others: false,
  });
  const simulate = useApiMutation(SimulateFlow, { subjects: [] });
  const set = (change: Partial<Trial>) => setTrial({ ...trial, ...change });
  const result = simulate.data?.simulateFlow;
  const sentences = useSentences(flow?.triggers);
  const conditionText = (index: number | undefined): string | undefined => {
    if (!flow) return undefined;
    const one = index === undefined ? undefined : nodesOf(flow.conditions.conditions)[index];
    return sentences.condition(one ?? flow.conditions);
  };
  return (
    <Stack gap={14} miw={0}>
      <Text c="dimmed">{t.lead}</Text>
      <SegmentedControl
        aria-label={t.how}
        value={trial.isAtOnce ? 'atOnce' : 'asTimePasses'}
        onChange={(how) => set({ isAtOnce: how === 'atOnce', lengthMs: how === 'atOnce' ? FIRST_LENGTH_MS : DAY_MS })}
        data={(['atOnce', 'asTimePasses'] as const).map((one) => ({ value: one, label: t[one] }))}
      />
      <div className={classes.fields}>
        <TextInput
          type="datetime-local"
          label={t.start}
          value={trial.start && wallText(Date.parse(trial.start), zone)}
          onChange={({ currentTarget }) => set({ start: momentOf(currentTarget.value, zone) })}
        />
        <DurationInput
          key={String(trial.isAtOnce)}
          label={t.howLong}
          valueMs={trial.lengthMs}
          maxMs={MAX_SIMULATED_MS}
          onChange={(lengthMs) => set({ lengthMs })}
        />
      </div>
      <Changes changes={trial.changes} onChange={(changes) => set({ changes })} />
      <Switch
        label={t.others}
        checked={trial.others}
        onChange={({ currentTarget }) => set({ others: currentTarget.checked })}
      />
      <div>
        <Button
          loading={simulate.isPending}
          onClick={() =>
            simulate.mutate({
              homeId,
              scenario: scenarioOf(trial),
              ...(flowId !== undefined && { flowId }),
              ...(data !== undefined && { data }),
            })
          }
        >
          {t.run}
        </Button>
      </div>
      {simulate.error && <ErrorNotice error={simulate.error} />}
      <div aria-live="polite">{result && <DryRunResult result={result} conditionText={conditionText} />}</div>
    </Stack>
  );
}

interface ChangesProps {
  readonly changes: readonly Pretended[];
  readonly onChange: (changes: readonly Pretended[]) => void;
}

function canBePretended({ characteristic }: Property): boolean {
  return characteristic.canRead && characteristic.type !== 'programmable_switch_event';
}

function Changes({ changes, onChange }: ChangesProps) {
  const t = useTexts(dryRunTexts);
  const inventory = useHome();
  const words = useWords();
  return (
    <fieldset className={classes.changes}>
      <legend>{t.changes}</legend>
      <Text c="dimmed">{t.changesLead}</Text>
      <ul className={classes.cards}>
        {changes.map((change, index) => {
          const property = findProperty(inventory, change);
          const sentence = property ? whenText(inventory, change, { to: change.value }, words) : t.changes;
          const put = (next: Partial<Pretended>) => onChange(changes.with(index, { ...change, ...next }));
          return (
            <li key={index} className={classes.card}>
              <div className={classes.cardHead}>
                <p className="h-anywhere">{sentence}</p>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={44}
                  aria-label={t.removeChange({ what: sentence })}
                  onClick={() => onChange(changes.toSpliced(index, 1))}
                >
                  <Trash2 size={20} aria-hidden />
                </ActionIcon>
              </div>
              <AccessoryPropertyPicker
                value={change.accessoryId ? change : undefined}
                filter={canBePretended}
                onChange={(ref) => {
                  const next = findProperty(inventory, ref);
                  put({ ...ref, value: firstValueOf(next) ?? next?.characteristic.value });
                }}
              />
              {property && (
                <div className={classes.fields}>
                  <ValueInput property={property} value={change.value} onChange={(value) => put({ value })} />
                  <DurationInput label={t.after} valueMs={change.afterMs} onChange={(afterMs) => put({ afterMs })} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
      <Button
        variant="default"
        leftSection={<Plus size={18} aria-hidden />}
        onClick={() => onChange([...changes, { accessoryId: '', characteristicType: '', value: null, afterMs: 0 }])}
      >
        {t.addChange}
      </Button>
    </fieldset>
  );
}
