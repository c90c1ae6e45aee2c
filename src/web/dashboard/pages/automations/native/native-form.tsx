/** The form of a simple automation: When, Only if, Then, Until. */
import commonTexts from 'texts:common';
import nativeTexts from 'texts:native-automations';
import { Button, Group, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useHome } from '../../../home/use-home.ts';
import { WeekdaysInput } from '../../../pickers/weekdays-input.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { mayLeave, useLeaveGuard } from '../../../ui/leave-guard.ts';
import { Section } from '../../../ui/page.tsx';
import { NoPlaceNotice } from '../list/no-place-notice.tsx';
import { ActionFields } from './action-fields.tsx';
import { ConditionFields } from './condition-fields.tsx';
import { EventFields } from './event-fields.tsx';
import {
  EMPTY_EVENT_TRIGGER,
  type EventTrigger,
  type NativeAction,
  type NativeCondition,
  type NativeDraft,
  type NativeEvent,
} from './native-draft.ts';
import { actionText, conditionText, eventText } from './native-words.ts';
import { PartList } from './part-list.tsx';
import { TimerFields } from './timer-fields.tsx';
import { useNativeWords } from './use-native-words.ts';

interface NativeFormProps {
  readonly form: UseFormReturnType<NativeDraft>;
  readonly onSave: (draft: NativeDraft) => Promise<void>;
  readonly onCancel: () => void;
  /** The relay's error. */
  readonly problem: ReactNode;
}

type SectionProps = Pick<NativeFormProps, 'form'>;

const EVENT_KINDS = ['characteristic', 'significantTime', 'calendar', 'presence', 'location'] as const;
const END_KINDS = ['duration', 'characteristic', 'significantTime', 'calendar', 'presence'] as const;
const CONDITION_KINDS = ['characteristic', 'time', 'significantEvent', 'presence'] as const;
const SOME_RADIUS_M = 200;
const SOME_SECONDS = 300;

export function NativeForm({ form, onSave, onCancel, problem }: NativeFormProps) {
  const t = useTexts(nativeTexts);
  const common = useTexts(commonTexts);
  const { trigger } = form.values;
  useLeaveGuard(form.values !== form.getInitialValues());
  const cancel = async () => {
    if (await mayLeave()) onCancel();
  };
  return (
    <form noValidate onSubmit={form.onSubmit(onSave)}>
      <Stack gap={20}>
        <Section>
          <TextInput
            label={t.name}
            description={t.nameHint}
            placeholder={t.namePlaceholder}
            maxLength={200}
            {...form.getInputProps('name')}
          />
        </Section>
        <WhenSection form={form} />
        {trigger.type === 'event' && <IfSection form={form} trigger={trigger} />}
        <ThenSection form={form} />
        {trigger.type === 'event' && <UntilSection form={form} trigger={trigger} />}
        {problem}
        <Group gap={8} justify="flex-end">
          {Object.keys(form.errors).length > 0 && (
            <Text c="var(--h-bad-ink)" role="alert">
              {t.needAttention}
            </Text>
          )}
          <Button variant="default" onClick={() => void cancel()}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={form.submitting}>
            {t.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function WhenSection({ form }: SectionProps) {
  const t = useTexts(nativeTexts);
  const words = useNativeWords();
  const make = useNewEvent();
  const { trigger } = form.values;
  return (
    <Section title={t.whenTitle} lead={trigger.type === 'event' ? t.whenLead : undefined}>
      <SegmentedControl
        aria-label={t.kindOfTrigger}
        value={trigger.type}
        onChange={(type) => form.setFieldValue('trigger', type === 'timer' ? newTimer() : EMPTY_EVENT_TRIGGER)}
        data={[
          { value: 'event', label: t.byEvents },
          { value: 'timer', label: t.byTimer },
        ]}
      />
      {trigger.type === 'timer' ? (
        <TimerFields trigger={trigger} form={form} />
      ) : (
        <>
          <PlaceWarning trigger={trigger} />
          <PartList<NativeEvent>
            form={form}
            path="trigger.events"
            items={trigger.events}
            sentence={(event) => sentenceOf(event, () => eventText(event, words), t.events[event.type])}
            fields={(event, change) => <EventFields event={event} onChange={change} />}
            addLabel={t.addEvent}
            kinds={EVENT_KINDS.map((kind) => ({ label: t.events[kind], make: () => make(kind) }))}
          />
        </>
      )}
    </Section>
  );
}

interface EventSectionProps extends SectionProps {
  readonly trigger: EventTrigger;
}

function IfSection({ form, trigger }: EventSectionProps) {
  const t = useTexts(nativeTexts);
  const words = useNativeWords();
  return (
    <Section title={t.ifTitle} lead={t.ifLead}>
      <PartList<NativeCondition>
        form={form}
        path="trigger.conditions"
        items={trigger.conditions}
        sentence={(condition) =>
          sentenceOf(condition, () => conditionText(condition, words), t.conditions[condition.type])
        }
        fields={(condition, change) => <ConditionFields condition={condition} onChange={change} />}
        addLabel={t.addCondition}
        kinds={CONDITION_KINDS.map((kind) => ({ label: t.conditions[kind], make: () => newCondition(kind) }))}
      />
      <WeekdaysInput
        label={t.onDays}
        sunday={1}
        value={trigger.weekdays}
        onChange={(weekdays) => form.setFieldValue('trigger.weekdays', weekdays)}
      />
      <Switch label={t.once} {...form.getInputProps('trigger.executeOnce', { type: 'checkbox' })} />
    </Section>
  );
}

function ThenSection({ form }: SectionProps) {
  const t = useTexts(nativeTexts);
  const words = useNativeWords();
  return (
    <Section title={t.thenTitle} lead={t.thenLead}>
      <PartList<NativeAction>
        form={form}
        path="actions"
        items={form.values.actions}
        sentence={(action) => (action.accessoryId ? actionText(action, words) : words.words.texts.chooseAccessory)}
        fields={(action, change) => <ActionFields action={action} onChange={change} />}
        addLabel={t.addAction}
        kinds={[
          { label: t.addAction, make: () => ({ accessoryId: '', characteristicType: '', targetValue: undefined }) },
        ]}
      />
    </Section>
  );
}

function UntilSection({ form, trigger }: EventSectionProps) {
  const t = useTexts(nativeTexts);
  const words = useNativeWords();
  const make = useNewEvent();
  return (
    <Section title={t.untilTitle} lead={t.untilLead}>
      <PartList<NativeEvent>
        form={form}
        path="trigger.endEvents"
        items={trigger.endEvents}
        sentence={(event) => sentenceOf(event, () => eventText(event, words), t.events[event.type])}
        fields={(event, change) => <EventFields event={event} onChange={change} />}
        addLabel={t.addEnd}
        kinds={END_KINDS.map((kind) => ({ label: t.events[kind], make: () => make(kind) }))}
      />
    </Section>
  );
}

/** Until an accessory is chosen there is no sentence. */
function sentenceOf(part: NativeEvent | NativeCondition, text: () => string, kind: string): string {
  return part.type === 'characteristic' && part.accessoryId === '' ? kind : text();
}

function PlaceWarning({ trigger }: { readonly trigger: EventTrigger }) {
  const { latitude } = useHome();
  const parts = [...trigger.events, ...trigger.endEvents, ...trigger.conditions];
  const needsPlace = parts.some(({ type }) => ['significantTime', 'location', 'significantEvent'].includes(type));
  return needsPlace && latitude == null ? <NoPlaceNotice /> : null;
}

function useNewEvent(): (kind: NativeEvent['type']) => NativeEvent {
  const { latitude, longitude, radius } = useHome();
  return (kind) => {
    const made: { readonly [K in NativeEvent['type']]: Extract<NativeEvent, { type: K }> } = {
      characteristic: { type: 'characteristic', accessoryId: '', characteristicType: '' },
      significantTime: { type: 'significantTime', significantEvent: 'sunset', offsetMinutes: 0 },
      calendar: { type: 'calendar', calendarComponents: { hour: 7, minute: 0 } },
      presence: { type: 'presence', presenceEvent: 'firstArrival', presenceType: 'allUsers', personIds: [] },
      location: {
        type: 'location',
        latitude: latitude ?? 0,
        longitude: longitude ?? 0,
        radius: radius ?? SOME_RADIUS_M,
        notifyOnEntry: true,
        notifyOnExit: false,
      },
      duration: { type: 'duration', durationSeconds: SOME_SECONDS },
    };
    return made[kind];
  };
}

function newCondition(kind: NativeCondition['type']): NativeCondition {
  const made: { readonly [K in NativeCondition['type']]: Extract<NativeCondition, { type: K }> } = {
    characteristic: {
      type: 'characteristic',
      accessoryId: '',
      characteristicType: '',
      operator: 'equalTo',
      value: undefined,
    },
    time: { type: 'time', afterTime: '22:00', beforeTime: '06:00' },
    significantEvent: { type: 'significantEvent', afterEvent: 'sunset', beforeEvent: 'sunrise' },
    presence: { type: 'presence', presenceEvent: 'atHome', presenceType: 'allUsers', personIds: [] },
  };
  return made[kind];
}

function newTimer() {
  return { type: 'timer', fireDate: '', recurrence: undefined, timeZone: undefined, executeOnce: false } as const;
}
