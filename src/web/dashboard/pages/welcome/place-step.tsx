/** The home's location and time zone, by town or as numbers: a map would load its images from a third party. */

import commonTexts from 'texts:common';
import townTexts from 'texts:towns';
import welcomeTexts from 'texts:welcome';
import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { LocateFixed } from 'lucide-react';
import { type ClipboardEvent, useEffect, useRef, useState } from 'react';
import { useApiMutation } from '../../api/query.ts';
import { TownInput, useTowns } from '../../pickers/towns/town-input.tsx';
import { type Town, townAt, townOfZone } from '../../pickers/towns/towns.ts';
import { useTexts } from '../../texts/texts.ts';
import { askPosition, canAskPosition, type DevicePosition, type PositionRefusal } from '../../ui/device-position.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { Heading } from '../sign-in/heading.tsx';
import { Problem } from '../sign-in/problem.tsx';
import { parseAngle, parsePlace } from './place.ts';
import { StepProgress } from './step-progress.tsx';
import classes from './welcome.module.css';
import { UpdateHome, type WelcomeHome } from './welcome-documents.ts';

interface StepProps {
  readonly home: WelcomeHome;
  onBack(): void;
  onNext(): void;
}

export function PlaceStep({ home, onBack, onNext }: StepProps) {
  const t = useTexts(welcomeTexts);
  const townWords = useTexts(townTexts);
  const errorText = useErrorText();
  const update = useApiMutation(UpdateHome, { subjects: ['inventory', 'account'], onDone: onNext });
  const form = usePlaceForm(home);
  const [refusal, setRefusal] = useState<PositionRefusal>();
  const [areTyped, setTyped] = useState(home.latitude !== null && home.latitude !== undefined);
  const towns = useTowns();
  const { latitude: northText, longitude: eastText } = form.values;
  const town = towns && northText ? townAt(towns, Number(northText), Number(eastText)) : undefined;
  const isUntouched = useRef(home.latitude === null || home.latitude === undefined);
  const chooseTown = ({ latitude, longitude, timeZone }: Town) => {
    isUntouched.current = false;
    fillIn(form, { latitude, longitude });
    form.setFieldValue('timeZone', timeZone);
  };
  useEffect(() => {
    if (!towns || !isUntouched.current) return;
    isUntouched.current = false;
    if (northText !== '' || eastText !== '') return;
    // The city of the time zone is nearer than nothing; people see it, and choose another one.
    const nearest = townOfZone(towns, form.values.timeZone);
    if (nearest) fillIn(form, nearest);
  });
  const save = (values: PlaceValues) => {
    const timeZone = values.timeZone ? { timeZone: values.timeZone } : {};
    const latitude = parseAngle(values.latitude, 90);
    const longitude = parseAngle(values.longitude, 180);
    const isComplete = latitude !== undefined && longitude !== undefined;
    update.mutate({ homeId: home.id, ...(isComplete && { location: { latitude, longitude } }), ...timeZone });
  };
  return (
    <>
      <StepProgress step="place" />
      <Heading title={t.placeTitle} lead={t.placeLead} takesFocus />
      <form onSubmit={form.onSubmit(save)} noValidate>
        <Stack>
          <Problem text={update.error ? errorText(update.error) : refusal && t.noPosition[refusal]} />
          {canAskPosition() && (
            <UseHere
              onPlace={(place) => {
                setRefusal(undefined);
                setTyped(true);
                fillIn(form, place);
              }}
              onRefused={setRefusal}
            />
          )}
          <TownInput towns={towns} value={town} onChange={chooseTown} />
          {areTyped || towns === null ? (
            <Coordinates form={form} />
          ) : (
            <div>
              <Button variant="subtle" onClick={() => setTyped(true)}>
                {townWords.coordinates}
              </Button>
            </div>
          )}
          <Select
            label={t.timeZone}
            data={timeZones(form.values.timeZone)}
            searchable
            nothingFoundMessage={t.timeZoneNone}
            limit={60}
            value={form.values.timeZone}
            onChange={(chosen) => chosen && form.setFieldValue('timeZone', chosen)}
          />
          <StepButtons onBack={onBack} onSkip={onNext} isSaving={update.isPending} />
        </Stack>
      </form>
    </>
  );
}

function usePlaceForm(home: WelcomeHome) {
  const t = useTexts(welcomeTexts);
  return useForm<PlaceValues>({
    initialValues: {
      latitude: String(home.latitude ?? ''),
      longitude: String(home.longitude ?? ''),
      timeZone: home.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    // Either both coordinates, or none.
    validate: {
      latitude: (text, values) => (isEmpty(values) || parseAngle(text, 90) !== undefined ? null : t.latitudeBad),
      longitude: (text, values) => (isEmpty(values) || parseAngle(text, 180) !== undefined ? null : t.longitudeBad),
    },
  });
}

interface PlaceValues {
  readonly latitude: string;
  readonly longitude: string;
  readonly timeZone: string;
}

function isEmpty({ latitude, longitude }: PlaceValues): boolean {
  return latitude.trim() === '' && longitude.trim() === '';
}

function fillIn(form: UseFormReturnType<PlaceValues>, { latitude, longitude }: DevicePosition): void {
  form.setValues({ latitude: String(latitude), longitude: String(longitude) });
  form.clearErrors();
}

/** Side by side, both fields stay in one row. */
const HINT_BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

function Coordinates({ form }: { readonly form: UseFormReturnType<PlaceValues> }) {
  const t = useTexts(welcomeTexts);
  // Maps copy both coordinates at once. Only on paste: a partly typed number can look like two.
  const onPaste = (event: ClipboardEvent) => {
    const place = parsePlace(event.clipboardData.getData('text'));
    if (!place) return;
    event.preventDefault();
    fillIn(form, place);
  };
  return (
    <div className={classes.fields}>
      <TextInput
        label={t.latitude}
        description={t.latitudeHint}
        inputWrapperOrder={HINT_BELOW}
        autoComplete="off"
        onPaste={onPaste}
        {...form.getInputProps('latitude')}
      />
      <TextInput
        label={t.longitude}
        description={t.longitudeHint}
        inputWrapperOrder={HINT_BELOW}
        autoComplete="off"
        onPaste={onPaste}
        {...form.getInputProps('longitude')}
      />
    </div>
  );
}

interface StepButtonsProps {
  readonly isSaving: boolean;
  onBack(): void;
  onSkip(): void;
}

function StepButtons({ isSaving, onBack, onSkip }: StepButtonsProps) {
  const t = useTexts(welcomeTexts);
  const common = useTexts(commonTexts);
  return (
    <Group justify="space-between">
      <Button variant="default" onClick={onBack}>
        {common.back}
      </Button>
      <Group ml="auto">
        <Button variant="subtle" onClick={onSkip}>
          {t.skip}
        </Button>
        <Button type="submit" loading={isSaving}>
          {t.continue}
        </Button>
      </Group>
    </Group>
  );
}

function timeZones(current: string): readonly string[] {
  return [...new Set([current, ...Intl.supportedValuesOf('timeZone')])];
}

interface UseHereProps {
  onPlace(place: DevicePosition): void;
  onRefused(why: PositionRefusal): void;
}

/** Only for pages over https: browsers give no location to others. */
function UseHere({ onPlace, onRefused }: UseHereProps) {
  const t = useTexts(welcomeTexts);
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    const answer = await askPosition();
    setBusy(false);
    if (typeof answer === 'string') onRefused(answer);
    else onPlace(answer);
  };
  return (
    <Button
      variant="light"
      loading={isBusy}
      leftSection={<LocateFixed size={18} aria-hidden />}
      onClick={() => void ask()}
    >
      {t.useHere}
    </Button>
  );
}
