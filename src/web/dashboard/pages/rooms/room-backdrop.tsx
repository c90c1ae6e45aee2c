/**
 * What is behind a room's page: its picture at the top, else its color. Both fade into the page. Words on the picture
 * stand on plates.
 */
import type { HomeRoom } from '../../home/home-document.ts';
import { useBackdrop } from '../home/backdrop/backdrop.tsx';
import classes from './room-backdrop.module.css';
import { RoomPicture } from './room-picture.tsx';

export function RoomBackdrop({ room: { id, color, pictureHash } }: { readonly room: HomeRoom }) {
  useBackdrop(pictureHash === null ? 'color' : 'picture');
  return (
    <div className={classes.backdrop} data-color={color} aria-hidden>
      {pictureHash !== null && <RoomPicture key={pictureHash} roomId={id} hash={pictureHash} />}
    </div>
  );
}
