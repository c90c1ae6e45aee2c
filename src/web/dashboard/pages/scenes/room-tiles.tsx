/** Tiles by room, placed as on the home page: small rooms share a row. */
import { type CSSProperties, type ReactNode, useId } from 'react';
import homeClasses from '../home/home.module.css';
import classes from './actions.module.css';

/** Around all rooms. */
export function TileRooms({ children }: { readonly children: ReactNode }) {
  return (
    <div className={homeClasses.frame}>
      <div className={homeClasses.rooms}>{children}</div>
    </div>
  );
}

interface RoomTilesProps {
  /** `undefined`: no heading. */
  readonly name: string | undefined;
  /** How many its tiles take; the whole row if left out. */
  readonly columns: number | undefined;
  /** For people who choose among the tiles, not only for those who read them. */
  readonly isChoice?: boolean;
  readonly children: ReactNode;
}

export function RoomTiles({ name, columns, isChoice = false, children }: RoomTilesProps) {
  const id = useId();
  const List = isChoice ? 'fieldset' : 'ul';
  return (
    <div className={homeClasses.room} style={{ '--tiles': columns } as CSSProperties}>
      {name !== undefined && (
        <h3 className={classes.roomName} id={id}>
          <span className="h-lines" title={name}>
            {name}
          </span>
        </h3>
      )}
      <List className={classes.tiles} aria-labelledby={name === undefined ? undefined : id}>
        {children}
      </List>
    </div>
  );
}
