/** A button that runs a scene and says how that goes. */
import { Check, Loader, LogOut, Moon, Play, Sparkles, TriangleAlert } from 'lucide-react';
import type { HouseScene } from '../../house/house-document.ts';
import { useTexts } from '../../texts/texts.ts';
import { runScene, useSceneRun } from './run-scene.ts';
import classes from './scenes.module.css';
import { scenesTexts } from './texts/texts.ts';

type ShownScene = Pick<HouseScene, 'id' | 'name' | 'isBuiltIn'>;

/** With the scene's name, or small and round beside it. */
export function SceneButton({ scene, isSmall = false }: { readonly scene: ShownScene; readonly isSmall?: boolean }) {
  const t = useTexts(scenesTexts);
  const run = useSceneRun(scene.id);
  const name = useSceneName()(scene);
  return (
    <button
      type="button"
      className={isSmall ? classes.play : classes.scene}
      data-status={run?.status}
      aria-label={t.run(name)}
      title={name}
      aria-busy={run?.status === 'running'}
      onClick={() => void runScene({ ...scene, name })}
    >
      <SceneIcon scene={scene} status={run?.status} isSmall={isSmall} />
      {!isSmall && <span>{name}</span>}
    </button>
  );
}

interface SceneIconProps {
  readonly scene: ShownScene;
  readonly status: 'running' | 'done' | 'failed' | undefined;
  readonly isSmall: boolean;
}

function SceneIcon({ scene, status, isSmall }: SceneIconProps) {
  if (status === 'running') return <Loader aria-hidden className={classes.turning} />;
  if (status === 'done') return <Check aria-hidden />;
  if (status === 'failed') return <TriangleAlert aria-hidden />;
  if (isSmall) return <Play aria-hidden />;
  const Icon = BUILT_IN_ICONS[scene.isBuiltIn ? scene.name : ''] ?? Sparkles;
  return <Icon aria-hidden />;
}

/** The relay's own scenes have English names; people read theirs. */
const BUILT_IN_ICONS: Readonly<Record<string, typeof Moon>> = { 'Good Night': Moon, 'Leave Home': LogOut };

export function useSceneName(): (scene: Pick<HouseScene, 'name' | 'isBuiltIn'>) => string {
  const { builtInNames } = useTexts(scenesTexts);
  return ({ name, isBuiltIn }) =>
    isBuiltIn ? ((builtInNames as Readonly<Record<string, string>>)[name] ?? name) : name;
}
