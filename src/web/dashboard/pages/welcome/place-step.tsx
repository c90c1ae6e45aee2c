/** The home's location and time zone, as numbers: a map would load its images from a third party. */

import commonTexts from 'texts:common';
import welcomeTexts from 'texts:welcome';
import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { LocateFixed } from 'lucide-react';
import { type ClipboardEvent, type FormEvent, useState } from 'react';
import { useApiMutation } from '../../api/query.ts';
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
  const common = useTexts(commonTexts);
  const errorText = useErrorText();
  const update = useApiMutation(UpdateHome, { subjects: ['house', 'account'], onDone: onNext });
  const [latitude, setLatitude] = useState(String(home.latitude ?? ''));
  const [longitude, setLongitude] = useState(String(home.longitude ?? ''));
  const [zone, setZone] = useState(home.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [wrong, setWrong] = useState<{ latitude?: string; longitude?: string }>({});
  const [refusal, setRefusal] = useState<PositionRefusal>();
  const fill = (place: DevicePosition) => {
    setLatitude(String(place.latitude));
    setLongitude(String(place.longitude));
    setWrong({});
  };
  // Maps copy both coordinates at once. Only on paste: a partly typed number can look like two.
  const onPaste = (event: ClipboardEvent) => {
    const place = parsePlace(event.clipboardData.getData('text'));
    if (!place) return;
    event.preventDefault();
    fill(place);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const timeZone = zone ? { timeZone: zone } : {};
    if (latitude.trim() === '' && longitude.trim() === '') return update.mutate({ homeId: home.id, ...timeZone });
    const north = parseAngle(latitude, 90);
    const east = parseAngle(longitude, 180);
    setWrong({
      ...(north === undefined && { latitude: t.latitudeBad }),
      ...(east === undefined && { longitude: t.longitudeBad }),
    });
    if (north === undefined || east === undefined) return;
    update.mutate({ homeId: home.id, location: { latitude: north, longitude: east }, ...timeZone });
  };
  return (
    <>
      <StepProgress step="place" />
      <Heading title={t.placeTitle} lead={t.placeLead} takesFocus />
      <form onSubmit={submit} noValidate>
        <Stack>
          <Problem text={update.error ? errorText(update.error) : refusal && t.noPosition[refusal]} />
          {canAskPosition() && (
            <UseHere
              onPlace={(place) => {
                setRefusal(undefined);
                fill(place);
              }}
              onRefused={setRefusal}
            />
          )}
          <div className={classes.fields}>
            <TextInput
              label={t.latitude}
              description={t.latitudeHint}
              error={wrong.latitude}
              value={latitude}
              size="md"
              autoComplete="off"
              onPaste={onPaste}
              onChange={({ currentTarget }) => setLatitude(currentTarget.value)}
            />
            <TextInput
              label={t.longitude}
              description={t.longitudeHint}
              error={wrong.longitude}
              value={longitude}
              size="md"
              autoComplete="off"
              onPaste={onPaste}
              onChange={({ currentTarget }) => setLongitude(currentTarget.value)}
            />
          </div>
          <Select
            label={t.timeZone}
            data={timeZones(zone)}
            value={zone}
            onChange={(chosen) => chosen && setZone(chosen)}
            searchable
            nothingFoundMessage={t.timeZoneNone}
            limit={60}
            size="md"
          />
          <Group justify="space-between">
            <Button variant="default" size="md" onClick={onBack}>
              {common.back}
            </Button>
            <Group ml="auto">
              <Button variant="subtle" size="md" onClick={onNext}>
                {t.skip}
              </Button>
              <Button type="submit" size="md" loading={update.isPending}>
                {t.continue}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </>
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
      size="md"
      loading={isBusy}
      leftSection={<LocateFixed size={18} aria-hidden />}
      onClick={() => void ask()}
    >
      {t.useHere}
    </Button>
  );
}
