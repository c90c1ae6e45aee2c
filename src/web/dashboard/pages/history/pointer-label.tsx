/** What a graph has under the cursor, beside the cursor: a time, and its values. Announcing it is up to the graph. */
import type { ReactNode } from 'react';
import classes from './history.module.css';

interface PointerLabelProps {
  /** The cursor's place across the width of the graph, from 0 to 1. */
  readonly share: number;
  readonly heading: string;
  readonly children: ReactNode;
}

export function PointerLabel({ share, heading, children }: PointerLabelProps) {
  // It lies on the side that has room.
  const side = share > 0.5 ? { insetInlineEnd: percent(1 - share) } : { insetInlineStart: percent(share) };
  return (
    <div className={classes.pointerLabel} style={side} aria-hidden>
      <span className={classes.pointerTime}>{heading}</span>
      {children}
    </div>
  );
}

function percent(share: number): string {
  return `${Math.max(share, 0) * 100}%`;
}
