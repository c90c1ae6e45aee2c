/**
 * Creates a scene from the current state of the home: the user selects properties and sees their current values. With a
 * suggestion in its address, it begins with that.
 */
import commonTexts from 'texts:common';
import scenesTexts from 'texts:scenes';
import { Box, Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { useApiMutation } from '../../api/query.ts';
import { useAccessory, useHome } from '../../home/use-home.ts';
import { propertiesOf } from '../../pickers/property.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import { EmptyState, ErrorNotice, Page, Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { sectionsOf } from '../home/sections.ts';
import { useStateText } from '../home/state-text.ts';
import { useArrangement } from '../home/use-arrangement.ts';
import { useRoomName } from '../rooms/room-name.ts';
import { CaptureScene } from './scene-documents.ts';
import { findSuggestion, suggestionOf } from './scene-suggestions.ts';
import classes from './scenes.module.css';
import { SuggestedScene } from './suggested-scene.tsx';

interface SceneCapture {
  readonly name: string;
  readonly accessoryIds: string[];
}

export function NewScenePage() {
  const home = useHome();
  const kind = findSuggestion(new URLSearchParams(useSearch()).get('suggestion'));
  const suggestion = kind && suggestionOf(kind, home);
  return suggestion ? <SuggestedScene key={kind} suggestion={suggestion} /> : <CapturedScene />;
}

function CapturedScene() {
  const t = useTexts(scenesTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const [, go] = useLocation();
  const form = useForm<SceneCapture>({
    initialValues: { name: '', accessoryIds: [] },
    transformValues: ({ name, accessoryIds }) => ({ name: name.trim(), accessoryIds }),
  });
  const { name, accessoryIds } = form.getTransformedValues();
  const capture = useApiMutation(CaptureScene, {
    subjects: ['scenes', 'inventory'],
    onDone: ({ captureScene }) => {
      showToast({ text: t.made({ name }) });
      go(captureScene ? `/scenes/${captureScene.id}` : '/scenes');
    },
  });
  useLeaveGuard(name !== '' || accessoryIds.length > 0);
  return (
    <Page title={t.newTitle} lead={t.newLead} narrow>
      <form onSubmit={form.onSubmit((values) => capture.mutate({ homeId, ...values }))}>
        <Stack gap="lg">
          <TextInput
            label={t.name}
            placeholder={t.namePlaceholder}
            required
            maxLength={MAX_NAME_LENGTH}
            {...form.getInputProps('name')}
          />
          <Section title={t.choose} lead={t.chooseText}>
            <Choices chosen={accessoryIds} onChange={(ids) => form.setFieldValue('accessoryIds', ids)} />
          </Section>
          {capture.error && <ErrorNotice error={capture.error} />}
          <Group>
            <Button type="submit" loading={capture.isPending} disabled={!name || accessoryIds.length === 0}>
              {t.capture}
            </Button>
            <Button variant="default" onClick={() => go('/scenes')}>
              {common.cancel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}

interface ChoicesProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** Every writable property, by room. */
function Choices({ chosen, onChange }: ChoicesProps) {
  const t = useTexts(scenesTexts);
  const rooms = useCapturable();
  const roomName = useRoomName();
  const all = rooms.flatMap(({ ids }) => ids);
  if (all.length === 0) return <EmptyState title={t.choose}>{t.nothingToCapture}</EmptyState>;
  const toggle = (id: string, isOn: boolean) => onChange(isOn ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <>
      <Group justify="space-between">
        <span aria-live="polite">{t.chosen({ count: chosen.length })}</span>
        <Button variant="default" onClick={() => onChange(chosen.length < all.length ? all : [])}>
          {chosen.length < all.length ? t.chooseAll : t.chooseNone}
        </Button>
      </Group>
      {rooms.map(({ room, ids }) => (
        <div key={room.id}>
          <Box component="h3" c="dimmed" fz="0.9375rem" fw={650} m="12px 0 6px" id={`choose-${room.id}`}>
            {roomName(room)}
          </Box>
          <SimpleGrid
            component="fieldset"
            minColWidth="min(100%, 260px)"
            spacing={8}
            aria-labelledby={`choose-${room.id}`}
          >
            {ids.map((id) => (
              <Choice key={id} id={id} isChosen={chosen.includes(id)} onToggle={toggle} />
            ))}
          </SimpleGrid>
        </div>
      ))}
    </>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly isChosen: boolean;
  readonly onToggle: (id: string, isOn: boolean) => void;
}

function Choice({ id, isChosen, onToggle }: ChoiceProps) {
  const accessory = useAccessory(id);
  const stateText = useStateText();
  if (!accessory) return null;
  return (
    <label className={classes.choice}>
      <input type="checkbox" checked={isChosen} onChange={({ currentTarget }) => onToggle(id, currentTarget.checked)} />
      <span>
        {accessory.name}
        <small>
          <br />
          {stateText(accessory)}
        </small>
      </span>
    </label>
  );
}

function useCapturable() {
  const inventory = useHome();
  const { compare } = useFormat();
  const [arrangement] = useArrangement();
  return useMemo(() => {
    const settable = new Set(
      inventory.accessories
        // A timer's state is not writable (the relay leaves it out as well).
        .filter(({ virtualType }) => virtualType !== 'timer')
        .filter((accessory) => propertiesOf(accessory).some(({ characteristic }) => characteristic.canWrite))
        .map(({ id }) => id),
    );
    return sectionsOf(inventory, arrangement, compare)
      .map(({ room, things }) => ({ room, ids: things.map(({ id }) => id).filter((id) => settable.has(id)) }))
      .filter(({ ids }) => ids.length > 0);
  }, [inventory, arrangement, compare]);
}
