/** One scene: its actions, value by value, editable for admins of the home. */

import commonTexts from 'texts:common';
import detailTexts from 'texts:scene-details';
import scenesTexts from 'texts:scenes';
import { Button, Group, TextInput } from '@mantine/core';
import { Copy, Eye, EyeOff, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { findRoomColor } from '../../../../home/vocabulary/room-looks.ts';
import { useApiMutation } from '../../api/query.ts';
import { useNamedIcon } from '../../devices/icons/device-icon.ts';
import { homeStore } from '../../home/home-store.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { propertiesOf } from '../../pickers/property.ts';
import { useTexts } from '../../texts/texts.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Columns } from '../../ui/columns.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Answer, EmptyState, ErrorNotice, Page, Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { isHiddenScene, withHidden } from '../home/arrangement.ts';
import { useArrangement } from '../home/use-arrangement.ts';
import { ColorField } from '../rooms/color-field.tsx';
import { ActionEditor } from './action-editor.tsx';
import { ActionTiles } from './action-tiles.tsx';
import { deleteScene } from './delete-scene.ts';
import { duplicateScene } from './duplicate-scene.ts';
import { LastRun } from './last-run.tsx';
import { SceneButton, useSceneName } from './scene-button.tsx';
import { isOwn, type Scene, UpdateScene, useSceneList } from './scene-documents.ts';
import { draftOf, isChanged, presentActions, recaptured, type SceneDraft } from './scene-draft.ts';
import { iconByName } from './scene-icons.ts';

const AnyIconPicker = lazy(async () => ({
  default: (await import('../../devices/icons/icon-picker.tsx')).AnyIconPicker,
}));

export function ScenePage({ sceneId }: { readonly sceneId: string }) {
  const t = useTexts(scenesTexts);
  const query = useSceneList();
  const { canManage } = useRights();
  return (
    <Answer query={query}>
      {(scenes) => {
        const scene = scenes.find(({ id }) => id === sceneId);
        if (!scene) {
          return (
            <EmptyState isPage title={t.notFound} action={<Link href="/scenes">{t.back}</Link>}>
              {t.notFoundText}
            </EmptyState>
          );
        }
        if (canManage && isOwn(scene)) return <SceneEditor key={scene.id} scene={scene} />;
        return <SceneView scene={scene} />;
      }}
    </Answer>
  );
}

/** The read-only view, with the reason. */
function SceneView({ scene }: { readonly scene: Scene }) {
  const t = useTexts(scenesTexts);
  const { canControl } = useRights();
  const name = useSceneName()(scene);
  const note = scene.isBuiltIn
    ? t.builtInNote
    : scene.automationName !== null
      ? t.ownedNote({ name: scene.automationName })
      : t.viewOnly;
  return (
    <Page
      title={name}
      lead={note}
      above={<BackLink href="/scenes">{t.back}</BackLink>}
      narrow
      actions={canControl && <SceneButton scene={scene} isTitled />}
    >
      <LastRun sceneId={scene.id} />
      <Section title={t.actions}>
        <ActionTiles actions={draftOf(scene).actions} />
      </Section>
      {scene.isBuiltIn && <BuiltInButtons scene={scene} name={name} />}
    </Page>
  );
}

/** Makes an own scene of it, and hides it from this user's lists. */
function BuiltInButtons({ scene, name }: { readonly scene: Scene; readonly name: string }) {
  const more = useTexts(detailTexts);
  const { id: homeId } = useHome();
  const { canManage } = useRights();
  const [, go] = useLocation();
  const [arrangement, change] = useArrangement();
  const [isBusy, setBusy] = useState(false);
  const isAway = isHiddenScene(arrangement, scene);
  const duplicate = async () => {
    setBusy(true);
    const id = await duplicateScene(homeId, scene.id, name);
    setBusy(false);
    if (id !== undefined) go(`/scenes/${id}`);
  };
  return (
    <Group>
      {canManage && (
        <Button
          variant="default"
          leftSection={<Copy size={18} aria-hidden />}
          loading={isBusy}
          onClick={() => void duplicate()}
        >
          {more.duplicate}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={isAway ? <Eye size={18} aria-hidden /> : <EyeOff size={18} aria-hidden />}
        onClick={() => change((before) => withHidden(before, [scene.actionSetType], !isAway))}
      >
        {isAway ? more.unhide : more.hide}
      </Button>
    </Group>
  );
}

function SceneEditor({ scene }: { readonly scene: Scene }) {
  const t = useTexts(scenesTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const [, go] = useLocation();
  const saved = draftOf(scene);
  const [draft, setDraft] = useState(saved);
  const update = useApiMutation(UpdateScene, {
    subjects: ['scenes', 'inventory'],
    onDone: () => showToast({ text: t.saved({ name: draft.name.trim() }) }),
  });
  const isDirty = isChanged(draft, saved);
  const save = () => {
    const { name, icon, color } = draft;
    update.mutate({ sceneId: scene.id, name: name.trim(), icon, color, actions: presentActions(draft) });
  };
  const takeOver = () => {
    setDraft(recaptured(draft, valueNow));
    showToast({ text: t.recaptured });
  };
  const remove = async () => {
    if (await deleteScene(homeId, scene)) go('/scenes');
  };
  return (
    <Page
      title={scene.name}
      above={<BackLink href="/scenes">{t.back}</BackLink>}
      narrow
      lead={<LastRun sceneId={scene.id} />}
      actions={<SceneButton scene={scene} isTitled />}
    >
      <Columns
        second={
          <>
            <Look draft={draft} onChange={setDraft} />
            <Button
              variant="subtle"
              color="red"
              style={{ justifySelf: 'start' }}
              ml="calc(var(--button-padding-x) / -1.5)"
              leftSection={<Trash2 size={18} aria-hidden />}
              onClick={() => void remove()}
            >
              {t.deleteScene}
            </Button>
          </>
        }
      >
        <Section
          title={t.actions}
          actions={
            <Button variant="default" onClick={takeOver}>
              {t.recapture}
            </Button>
          }
        >
          <ActionEditor draft={draft} onChange={setDraft} />
        </Section>
        {draft.actions.length === 0 && <p role="status">{t.atLeastOne}</p>}
      </Columns>
      {update.error && <ErrorNotice error={update.error} />}
      {isDirty && (
        <FormActions>
          <Button
            onClick={save}
            loading={update.isPending}
            disabled={draft.name.trim() === '' || draft.actions.length === 0}
          >
            {common.save}
          </Button>
          <Button variant="default" onClick={() => setDraft(saved)}>
            {t.discard}
          </Button>
        </FormActions>
      )}
    </Page>
  );
}

interface LookProps {
  readonly draft: SceneDraft;
  readonly onChange: (draft: SceneDraft) => void;
}

/** Its name, and the icon and the color of its tile. */
function Look({ draft, onChange }: LookProps) {
  const t = useTexts(scenesTexts);
  const Icon = useNamedIcon(draft.icon, iconByName(draft.name));
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={t.look}>
      <TextInput
        label={t.name}
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        maxLength={MAX_NAME_LENGTH}
      />
      <Group>
        <Button variant="default" leftSection={<Icon aria-hidden size={20} />} onClick={() => setOpen(true)}>
          {t.icon}
        </Button>
      </Group>
      <ColorField value={findRoomColor(draft.color) ?? null} onChange={(color) => onChange({ ...draft, color })} />
      {isOpen && (
        <Suspense>
          <AnyIconPicker
            name={draft.name}
            icon={draft.icon}
            onChoose={(icon) => onChange({ ...draft, icon })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </Section>
  );
}

/** The page's home has the values of its last load; the store has the current ones. */
function valueNow(ref: { readonly accessoryId: string; readonly characteristicType: string }): unknown {
  const accessory = homeStore.accessory(ref.accessoryId);
  return (
    accessory &&
    propertiesOf(accessory).find(({ characteristicType }) => characteristicType === ref.characteristicType)
      ?.characteristic.value
  );
}
