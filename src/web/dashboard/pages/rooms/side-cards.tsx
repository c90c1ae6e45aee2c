/** Cards below the tiles of a page: side by side where they fit, each as tall as its content. */
import type { ReactNode } from 'react';
import classes from './side-cards.module.css';

export function SideCards({ cards }: { readonly cards: readonly ReactNode[] }) {
  const [first, ...others] = cards;
  if (first === undefined) return null;
  return (
    <div className={classes.frame}>
      <div className={classes.cards}>
        <div>{first}</div>
        {others.length > 0 && <div>{others}</div>}
      </div>
    </div>
  );
}
