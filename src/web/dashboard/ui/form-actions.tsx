/**
 * The buttons of a form, the last thing in it. While their place is further down than the screen shows, they are at its
 * foot, above the menu.
 */
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import classes from './form-actions.module.css';

export function FormActions({ children }: { readonly children: ReactNode }) {
  const end = useRef<HTMLSpanElement>(null);
  const height = useHeightBelow(end);
  return (
    <div className={classes.room} style={{ minHeight: height }}>
      <div className={classes.actions} data-away={height !== undefined || undefined}>
        {children}
      </div>
      <span ref={end} className={classes.end} aria-hidden />
    </div>
  );
}

/** @returns the height that the buttons have in their place, while that is below what the screen shows */
function useHeightBelow(end: RefObject<HTMLElement | null>): number | undefined {
  const [height, setHeight] = useState<number>();
  useEffect(() => {
    const { current } = end;
    const room = current?.parentElement;
    if (!current || !room) return undefined;
    const observer = new IntersectionObserver((entries) => {
      const entry = entries.at(-1);
      if (entry) setHeight(entry.isIntersecting || entry.boundingClientRect.top < 0 ? undefined : room.offsetHeight);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [end]);
  return height;
}
