/** The frame around pages on a tablet at the wall: the page alone. */
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../ui/load-part.ts';
import { ConnectionNotice } from '../connection-notice.tsx';
import classes from '../shell.module.css';

const Clock = lazyPart(() => import('./clock.tsx'), 'Clock');
const Dimmer = lazyPart(() => import('./dimmer.tsx'), 'Dimmer');

/** About that of the clock, so that little moves below it once it is loaded. */
const CLOCK_HEIGHT = 'clamp(72px, 46px + 6vw, 134px)';

interface KioskShellProps {
  /** As `kioskNow` has it. */
  readonly query: string;
  readonly children: ReactNode;
}

export function KioskShell({ query, children }: KioskShellProps) {
  return (
    <main id="content" tabIndex={-1} className={classes.main}>
      <ConnectionNotice />
      <Suspense fallback={<div style={{ height: CLOCK_HEIGHT }} />}>
        <Clock />
      </Suspense>
      {children}
      <Suspense>
        <Dimmer query={query} />
      </Suspense>
    </main>
  );
}
