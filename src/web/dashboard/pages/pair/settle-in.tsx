/** Names and rooms for new accessories; a bridge adds several. */

import pairTexts from 'texts:pair';
import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { present } from '../../api/graphql.ts';
import { refresh, useApiMutation, useApiQuery } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { confirm } from '../../ui/confirm.ts';
import { errorText, useErrorText } from '../../ui/error-text.ts';
import { Answer } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useRoomName } from '../rooms/room-name.ts';
import { Heading } from '../sign-in/heading.tsx';
import { Problem } from '../sign-in/problem.tsx';
import classes from './pair.module.css';
import { IdentifyAccessory, RoomsQuery, Unpair } from './pair-documents.ts';
import type { Paired } from './pairing-answer.ts';
import { NEW_ROOM, type NewPlace, roomInName, settle } from './settle.ts';

interface Places {
  readonly places: readonly NewPlace[];
}

interface SettleInProps {
  readonly homeId: string;
  readonly paired: Paired;
  onMore(): void;
  onDone(): void;
}

export function SettleIn({ homeId, paired, onMore, onDone }: SettleInProps) {
  const t = useTexts(pairTexts);
  const explain = useErrorText();
  const rooms = useApiQuery(RoomsQuery, { homeId }, { subjects: ['inventory'] });
  const form = useForm<Places>({
    initialValues: { places: paired.accessories.map(({ id, name }) => ({ id, name, roomId: '', newRoom: '' })) },
  });
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { undo, isUndoing } = useUndo(paired, onMore, setProblem);
  // Several accessories mean a bridge, and the first of them is the bridge itself.
  const count = paired.accessories.length - 1;
  const save = async (then: () => void) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await settle(homeId, paired, form.getValues().places);
      refresh('inventory');
      then();
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Heading
        level={2}
        title={t.added({ name: paired.name })}
        lead={count < 1 ? t.addedOne : t.addedBridge({ count })}
        takesFocus
      />
      <form onSubmit={form.onSubmit(() => save(onDone))}>
        <Stack>
          <Problem text={problem} />
          <Answer query={rooms}>
            {({ home }) => (
              <>
                {form.values.places.map((place, index) => (
                  <PlaceFields key={place.id} form={form} index={index} place={place} rooms={present(home?.rooms)} />
                ))}
              </>
            )}
          </Answer>
          <Ends isSaving={isBusy} isUndoing={isUndoing} onUndo={undo} onMore={() => void save(onMore)} />
        </Stack>
      </form>
    </>
  );
}

/** Removes the pairing again, after a question. */
function useUndo({ name, deviceId }: Paired, onDone: () => void, onProblem: (text: string) => void) {
  const t = useTexts(pairTexts);
  const explain = useErrorText();
  const unpair = useApiMutation(Unpair, { subjects: ['inventory', 'pairings', 'discovery'] });
  const undo = async () => {
    const question = { title: t.unpairTitle({ name }), body: t.unpairText, action: t.unpair, isDangerous: true };
    if (!(await confirm(question))) return;
    unpair.mutate(
      { deviceId },
      {
        onSuccess: () => {
          showToast({ text: t.unpaired({ name }) });
          onDone();
        },
        onError: (error) => onProblem(explain(error)),
      },
    );
  };
  return { undo, isUndoing: unpair.isPending };
}

interface EndsProps {
  readonly isSaving: boolean;
  readonly isUndoing: boolean;
  onUndo(): Promise<void>;
  onMore(): void;
}

function Ends({ isSaving, isUndoing, onUndo, onMore }: EndsProps) {
  const t = useTexts(pairTexts);
  return (
    <div className={classes.ends}>
      <Button
        className={classes.again ?? ''}
        variant="subtle"
        color="red"
        loading={isUndoing}
        onClick={() => void onUndo()}
      >
        {t.unpair}
      </Button>
      <Group gap="xs" justify="flex-end">
        <Button variant="default" disabled={isSaving} onClick={onMore}>
          {t.saveAndMore}
        </Button>
        <Button type="submit" loading={isSaving}>
          {t.save}
        </Button>
      </Group>
    </div>
  );
}

interface PlaceFieldsProps {
  readonly form: UseFormReturnType<Places>;
  readonly index: number;
  readonly place: NewPlace;
  readonly rooms: readonly { readonly id: string; readonly name: string; readonly isDefault: boolean }[];
}

function PlaceFields({ form, index, place, rooms }: PlaceFieldsProps) {
  const t = useTexts(pairTexts);
  const identify = useApiMutation(IdentifyAccessory, { subjects: [] });
  const nameOf = useRoomName();
  const standard = rooms.find(({ isDefault }) => isDefault)?.id ?? '';
  useEffect(() => {
    const guess = place.roomId === '' ? roomInName(place.name, rooms) : undefined;
    if (guess) form.setFieldValue(`places.${index}.roomId`, guess.id);
    // Once: a choice of the user stays.
  }, []);
  const taken = new Set(rooms.map(({ name }) => name.toLowerCase()));
  const usual = Object.values(t.usualRooms).filter((name) => !taken.has(name.toLowerCase()));
  const run = () =>
    identify.mutate(
      { accessoryId: place.id },
      {
        onSuccess: () => showToast({ text: t.blinked({ name: place.name }) }),
        onError: (error) => showToast({ text: errorText(error), tone: 'bad' }),
      },
    );
  return (
    <fieldset className={classes.place} aria-label={place.name}>
      <TextInput
        label={t.name}
        required
        withAsterisk={false}
        maxLength={MAX_NAME_LENGTH}
        {...form.getInputProps(`places.${index}.name`)}
      />
      <NativeSelect
        label={t.room}
        data={[
          ...rooms.map((room) => ({ value: room.id, label: nameOf(room) })),
          { value: NEW_ROOM, label: t.newRoom },
        ]}
        {...form.getInputProps(`places.${index}.roomId`)}
        value={place.roomId || standard}
      />
      {place.roomId === NEW_ROOM && (
        <Stack className={classes.wide ?? ''} gap={8}>
          <TextInput
            label={t.newRoomName}
            required
            withAsterisk={false}
            maxLength={MAX_NAME_LENGTH}
            autoFocus
            {...form.getInputProps(`places.${index}.newRoom`)}
          />
          <Group gap={8} role="group" aria-label={t.usual}>
            {usual.map((name) => (
              <Button
                key={name}
                variant="default"
                aria-pressed={place.newRoom === name}
                onClick={() => form.setFieldValue(`places.${index}.newRoom`, name)}
              >
                {name}
              </Button>
            ))}
          </Group>
        </Stack>
      )}
      <div className={classes.wide}>
        <Button
          variant="default"
          loading={identify.isPending}
          aria-label={t.blinkName({ name: place.name })}
          onClick={run}
        >
          {t.blink}
        </Button>
      </div>
    </fieldset>
  );
}
