/** All scenes of the home: run, edit, create. */
import detailTexts from 'texts:scene-details';
import scenesTexts from 'texts:scenes';
import { Box, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Plus, Star } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useHome, useRights } from '../../home/use-home.ts';
import { findProperty } from '../../pickers/property.ts';
import { doesPhrase, useWords, valueText } from '../../pickers/property-words.ts';
import { useTexts } from '../../texts/texts.ts';
import { Answer, Page, Section } from '../../ui/page.tsx';
import { isFavouriteScene, isHiddenScene, withFavouriteScene, withHidden } from '../home/arrangement.ts';
import { useArrangement } from '../home/use-arrangement.ts';
import { LastRun } from './last-run.tsx';
import { useSceneRun } from './run-scene.ts';
import { SceneButton, useSceneName } from './scene-button.tsx';
import { isOwn, type Scene, useSceneList } from './scene-documents.ts';
import { effectsOf } from './scene-effects.ts';
import classes from './scene-lists.module.css';
import { SuggestedScenes, useSuggestions } from './suggested-scenes.tsx';

export function ScenesPage() {
  const t = useTexts(scenesTexts);
  const { canManage } = useRights();
  const query = useSceneList();
  const create = canManage && (
    <Button component={Link} href="/scenes/new" leftSection={<Plus size={18} aria-hidden />}>
      {t.create}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={create}>
      <Answer query={query}>{(scenes) => <SceneLists scenes={scenes} />}</Answer>
    </Page>
  );
}

function SceneLists({ scenes }: { readonly scenes: readonly Scene[] }) {
  const t = useTexts(scenesTexts);
  const { canManage } = useRights();
  const suggested = useSuggestions(scenes);
  const suggestions = canManage ? suggested : [];
  const own = scenes.filter(isOwn);
  const builtIn = scenes.filter(({ isBuiltIn }) => isBuiltIn);
  const owned = scenes.filter(({ automationName }) => automationName !== null);
  return (
    <>
      {own.length > 0 && <SceneList scenes={own} label={t.own} level={2} />}
      <SuggestedScenes suggestions={suggestions} />
      {own.length === 0 && suggestions.length === 0 && (
        <Text c="dimmed">
          {t.emptyText} {!canManage && t.viewOnly}
        </Text>
      )}
      {builtIn.length > 0 && <BuiltInScenes scenes={builtIn} />}
      {owned.length > 0 && (
        <Section title={t.ofAutomations} lead={t.ofAutomationsText}>
          <SceneList scenes={owned} label={t.ofAutomations} />
        </Section>
      )}
    </>
  );
}

/** What the user has hidden comes last, once it is asked for. */
function BuiltInScenes({ scenes }: { readonly scenes: readonly Scene[] }) {
  const t = useTexts(scenesTexts);
  const more = useTexts(detailTexts);
  const [arrangement] = useArrangement();
  const [isShowingHidden, setShowingHidden] = useState(false);
  const hidden = scenes.filter((scene) => isHiddenScene(arrangement, scene));
  const shown = scenes.filter((scene) => !hidden.includes(scene));
  return (
    <Section
      title={t.builtIn}
      lead={t.builtInText}
      actions={
        hidden.length > 0 && (
          <Button variant="default" aria-expanded={isShowingHidden} onClick={() => setShowingHidden(!isShowingHidden)}>
            {isShowingHidden ? more.hideHidden : more.showHidden({ count: String(hidden.length) })}
          </Button>
        )
      }
    >
      <SceneList scenes={isShowingHidden ? [...shown, ...hidden] : shown} label={t.builtIn} />
    </Section>
  );
}

interface SceneListProps {
  readonly scenes: readonly Scene[];
  readonly label: string;
  /** Of the headings, below that of the page or of a section. */
  readonly level?: 2 | 3;
}

function SceneList({ scenes, label, level = 3 }: SceneListProps) {
  return (
    <SimpleGrid
      component="ul"
      minColWidth="min(100%, 320px)"
      spacing="var(--h-gap)"
      className={`h-bare ${classes.grid}`}
      aria-label={label}
    >
      {scenes.map((scene) => (
        <Box component="li" key={scene.id} display="grid">
          <SceneCard scene={scene} level={level} />
        </Box>
      ))}
    </SimpleGrid>
  );
}

function SceneCard({ scene, level }: { readonly scene: Scene; readonly level: 2 | 3 }) {
  const Title = level === 2 ? 'h2' : 'h3';
  const t = useTexts(scenesTexts);
  const { canControl } = useRights();
  const run = useSceneRun(scene.id);
  const name = useSceneName()(scene);
  return (
    <Stack component="article" gap={8} p={14} miw={0} justify="center" className="h-card">
      <Group gap={12} wrap="nowrap" miw={0}>
        {canControl && <SceneButton scene={scene} isSmall />}
        <Box miw={0} flex={1}>
          <Title className={classes.name}>
            <Link href={`/scenes/${scene.id}`}>{name}</Link>
          </Title>
          <Text c="dimmed" fz="0.9375rem" mt={2} className="h-anywhere" lineClamp={3}>
            <What scene={scene} />
          </Text>
          {scene.automationName !== null && (
            <Text c="dimmed" fz="0.9375rem" mt={2} className="h-anywhere">
              {t.automation({ name: scene.automationName })}
            </Text>
          )}
          <LastRun sceneId={scene.id} />
        </Box>
        <FavouriteButton scene={scene} name={name} />
      </Group>
      <HiddenNote scene={scene} name={name} />
      <div role="status" className={classes.status}>
        {run?.status === 'done' && (
          <Text c="dimmed" fz="0.9375rem" mt={2} className="h-anywhere">
            {t.ran({ count: run.count })}
          </Text>
        )}
        {run?.status === 'failed' && (
          <ul className={classes.failures}>
            {run.failures.map(({ accessoryId, name: accessoryName, why }) => (
              <li key={accessoryId}>
                {accessoryName}: {why}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Stack>
  );
}

function HiddenNote({ scene, name }: { readonly scene: Scene; readonly name: string }) {
  const more = useTexts(detailTexts);
  const [arrangement, change] = useArrangement();
  if (!isHiddenScene(arrangement, scene)) return null;
  return (
    <Button
      variant="default"
      style={{ alignSelf: 'flex-start' }}
      aria-label={more.unhideNamed({ name })}
      onClick={() => change((before) => withHidden(before, [scene.actionSetType], false))}
    >
      {more.unhide}
    </Button>
  );
}

const MAX_NAMES = 3;

/** What it turns on, turns off, closes, locks and sets. */
function What({ scene: { actionList } }: { readonly scene: Scene }) {
  const t = useTexts(scenesTexts);
  const { effects } = useTexts(detailTexts);
  const words = useWords();
  const inventory = useHome();
  return useMemo(() => {
    const { texts, format } = words;
    const sentences = effectsOf(actionList, (...setting) => Boolean(doesPhrase(...setting, texts))).map((effect) => {
      const { setting, accessoryId } = effect;
      const all = effect.names.map((name) => name ?? t.gone);
      const names = all.length > MAX_NAMES ? [...all.slice(0, MAX_NAMES), '…'].join(', ') : format.list(all);
      if (!setting) return effects.sets({ names });
      const [characteristicType, value] = setting;
      const phrase = doesPhrase(characteristicType, value, texts);
      if (phrase) return phrase({ name: names });
      const unit = findProperty(inventory, { accessoryId, characteristicType })?.characteristic.unit;
      return effects.setsTo({ names, value: valueText(characteristicType, value, words, unit) });
    });
    return sentences.join(' · ');
  }, [actionList, inventory, t, effects, words]);
}

export function FavouriteButton({
  scene,
  name,
}: {
  readonly scene: Pick<Scene, 'id' | 'isBuiltIn' | 'actionSetType'>;
  readonly name: string;
}) {
  const t = useTexts(scenesTexts);
  const [arrangement, change] = useArrangement();
  const isOne = isFavouriteScene(arrangement, scene);
  return (
    <button
      type="button"
      className={classes.star}
      aria-pressed={isOne}
      aria-label={isOne ? t.unfavour({ name }) : t.favour({ name })}
      title={isOne ? t.unfavour({ name }) : t.favour({ name })}
      onClick={() => change((before) => withFavouriteScene(before, scene, !isOne))}
    >
      <Star aria-hidden />
    </button>
  );
}
