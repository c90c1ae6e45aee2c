/** Tiles in a grid: two columns on the narrowest phone, more on wider screens. */
import { lazy, memo, Suspense } from 'react';
import { AccessoryTile } from '../../devices/accessory-tile.tsx';
import { useKeptAt } from '../../home/use-home.ts';
import classes from './home.module.css';
import type { Thing } from './sections.ts';
import { useTileMenu } from './use-tile-menu.ts';

const TileMenu = lazy(async () => ({ default: (await import('./tile-menu.tsx')).TileMenu }));

interface TileGridProps {
  readonly things: readonly Pick<Thing, 'id'>[];
  readonly label: string;
}

export const TileGrid = memo(function TileGrid({ things, label }: TileGridProps) {
  const { menu, handlers, close } = useTileMenu();
  const isOld = useKeptAt() !== undefined;
  return (
    <>
      <ul className={classes.tiles} aria-label={label} {...(!isOld && handlers)}>
        {things.map(({ id }) => (
          <li key={id} data-id={id}>
            <AccessoryTile id={id} />
          </li>
        ))}
      </ul>
      {menu && (
        <Suspense>
          <TileMenu {...menu} onClose={close} />
        </Suspense>
      )}
    </>
  );
});
