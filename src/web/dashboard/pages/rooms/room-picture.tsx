/** The picture of a room, behind its name. It is fetched when it comes into view, and fades in. */
import { useEffect, useRef, useState } from 'react';
import { pathOfPicture, pictureUrl } from './picture-urls.ts';
import classes from './room-picture.module.css';

interface RoomPictureProps {
  readonly roomId: string;
  readonly hash: string;
}

export function RoomPicture({ roomId, hash }: RoomPictureProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    let isGone = false;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      // Without it the heading has its color, or none.
      pictureUrl(pathOfPicture('rooms', roomId), hash).then(
        (loaded) => isGone || setUrl(loaded),
        () => undefined,
      );
    });
    if (place.current) observer.observe(place.current);
    return () => {
      isGone = true;
      observer.disconnect();
    };
  }, [roomId, hash]);
  return (
    <span ref={place} className={classes.picture} aria-hidden>
      {url && <img src={url} alt="" />}
    </span>
  );
}
