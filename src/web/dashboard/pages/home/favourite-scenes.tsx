/** Scenes to run with one tap: the favourites, else the first few of all. */
import { useMemo } from 'react';
import { useHouse, useRights } from '../../house/use-house.ts';
import { useTexts } from '../../texts/texts.ts';
import { SceneButton } from '../scenes/scene-button.tsx';
import { favouritesOf } from './arrangement.ts';
import classes from './home.module.css';
import { homeTexts } from './texts/texts.ts';
import { useArrangement } from './use-arrangement.ts';

const MOST_UNCHOSEN = 6;

export function FavouriteScenes() {
  const t = useTexts(homeTexts);
  const { scenes } = useHouse();
  const { canControl } = useRights();
  const [arrangement] = useArrangement();
  const shown = useMemo(() => {
    const favourites = favouritesOf(arrangement, scenes);
    return favourites.length > 0 ? favourites : scenes.slice(0, MOST_UNCHOSEN);
  }, [arrangement, scenes]);
  if (!canControl || shown.length === 0) return null;
  return (
    <ul className={classes.scenes} aria-label={t.scenes}>
      {shown.map((scene) => (
        <li key={scene.id}>
          <SceneButton scene={scene} />
        </li>
      ))}
    </ul>
  );
}
