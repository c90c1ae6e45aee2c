/** What is behind the tiles of the home page: its picture, else its background. Words stand on plates of their own. */
import { useEffect, useState } from 'react';
import { pathOfPicture, pictureUrl } from '../../rooms/picture-urls.ts';
import classes from './backdrop.module.css';

interface BackdropProps {
  readonly homeId: string;
  readonly hash: string | null;
  readonly background: string | null;
}

export function Backdrop({ homeId, hash, background }: BackdropProps) {
  const [url, setUrl] = useState<string>();
  useBackdrop('picture');
  useEffect(() => {
    if (hash === null) return undefined;
    let isGone = false;
    // Without it there is the background, or none.
    pictureUrl(pathOfPicture('homes', homeId), hash).then(
      (loaded) => isGone || setUrl(loaded),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [homeId, hash]);
  return (
    <div className={classes.backdrop} data-background={background} aria-hidden>
      {hash !== null && url && <img src={url} alt="" />}
    </div>
  );
}

/** While its component is shown, the page lets through what is behind it: words on a picture get plates. */
export function useBackdrop(kind: 'picture' | 'color'): void {
  useEffect(() => {
    document.documentElement.dataset.backdrop = kind;
    return () => {
      delete document.documentElement.dataset.backdrop;
    };
  }, [kind]);
}
