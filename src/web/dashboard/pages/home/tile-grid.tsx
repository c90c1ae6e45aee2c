/** Tiles in a grid: two columns on the narrowest phone, more on wider screens. */
import { memo } from 'react';
import { AccessoryTile } from '../../devices/accessory-tile.tsx';
import classes from './home.module.css';
import type { Thing } from './sections.ts';

interface TileGridProps {
  readonly things: readonly Pick<Thing, 'id'>[];
  readonly label: string;
}

export const TileGrid = memo(function TileGrid({ things, label }: TileGridProps) {
  return (
    <ul className={classes.tiles} aria-label={label}>
      {things.map(({ id }) => (
        <li key={id}>
          <AccessoryTile id={id} />
        </li>
      ))}
    </ul>
  );
});
