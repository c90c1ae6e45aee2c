/** Scenes to run with one tap: the favourites, else the first few. */

import homeTexts from 'texts:home';
import { useMemo } from 'react';
import type { HomeScene } from '../../home/home-document.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { SceneButton } from '../scenes/scene-button.tsx';
import { favouriteScenesOf, isHiddenScene } from './arrangement.ts';
import classes from './home.module.css';
import { useArrangement } from './use-arrangement.ts';

const MAX_UNCHOSEN = 6;

export function FavouriteScenes() {
  const { scenes } = useHome();
  const [arrangement] = useArrangement();
  const shown = useMemo(() => {
    const favourites = favouriteScenesOf(arrangement, scenes);
    if (favourites.length > 0) return favourites;
    return scenes.filter((scene) => !isHiddenScene(arrangement, scene)).slice(0, MAX_UNCHOSEN);
  }, [arrangement, scenes]);
  return <SceneRow scenes={shown} />;
}

/** Nothing for people who may not run scenes. */
export function SceneRow({ scenes }: { readonly scenes: readonly HomeScene[] }) {
  const t = useTexts(homeTexts);
  const { canControl } = useRights();
  if (!canControl || scenes.length === 0) return null;
  return (
    <ul className={classes.scenes} aria-label={t.scenes}>
      {scenes.map((scene) => (
        <li key={scene.id}>
          <SceneButton scene={scene} />
        </li>
      ))}
    </ul>
  );
}
