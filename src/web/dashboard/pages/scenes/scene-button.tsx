/** A button that runs a scene and shows the progress. */

import scenesTexts from 'texts:scenes';
import { Check, Loader, Play, TriangleAlert } from 'lucide-react';
import { useNamedIcon } from '../../devices/icons/device-icon.ts';
import type { HomeScene } from '../../home/home-document.ts';
import { useKeptAt } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { runScene, useSceneRun } from './run-scene.ts';
import classes from './scene-button.module.css';
import { iconByName } from './scene-icons.ts';

type ShownScene = Pick<HomeScene, 'id' | 'name' | 'isBuiltIn' | 'icon' | 'color'>;

interface SceneButtonProps {
  readonly scene: ShownScene;
  /** Small and round, beside the name. */
  readonly isSmall?: boolean;
  /** Under a heading with the scene's name: the label is the action. */
  readonly isTitled?: boolean;
}

export function SceneButton({ scene, isSmall = false, isTitled = false }: SceneButtonProps) {
  const t = useTexts(scenesTexts);
  const run = useSceneRun(scene.id);
  const name = useSceneName()(scene);
  const isOld = useKeptAt() !== undefined;
  return (
    <button
      type="button"
      className={isSmall ? classes.play : classes.scene}
      data-status={run?.status}
      data-color={isTitled ? undefined : scene.color}
      disabled={isOld}
      aria-label={t.run({ name })}
      title={name}
      aria-busy={run?.status === 'running'}
      onClick={() => void runScene({ ...scene, name })}
    >
      <SceneIcon scene={scene} status={run?.status} isPlain={isTitled} />
      {!isSmall && <span>{isTitled ? t.runIt : name}</span>}
    </button>
  );
}

interface SceneIconProps {
  readonly scene: ShownScene;
  readonly status: 'running' | 'done' | 'failed' | undefined;
  /** Shows the run icon for every scene. */
  readonly isPlain: boolean;
}

function SceneIcon({ scene, status, isPlain }: SceneIconProps) {
  const Icon = useNamedIcon(scene.icon, iconByName(scene.name));
  if (status === 'running') return <Loader aria-hidden className={classes.turning} />;
  if (status === 'done') return <Check aria-hidden />;
  if (status === 'failed') return <TriangleAlert aria-hidden />;
  if (isPlain) return <Play aria-hidden />;
  return <Icon aria-hidden />;
}

/** The relay's built-in scenes have English names; the dashboard translates them. */
export function useSceneName(): (scene: Pick<HomeScene, 'name' | 'isBuiltIn'>) => string {
  const { builtInNames } = useTexts(scenesTexts);
  return ({ name, isBuiltIn }) =>
    isBuiltIn ? ((builtInNames as Readonly<Record<string, string>>)[name] ?? name) : name;
}
