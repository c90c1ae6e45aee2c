/** The frame around pages on a tablet at the wall: the page alone. */
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../ui/load-part.ts';
import { ConnectionNotice } from '../connection-notice.tsx';
import classes from '../shell.module.css';
import type { Kiosk } from './kiosk.ts';

const Clock = lazyPart(() => import('./clock.tsx'), 'Clock');
const Dimmer = lazyPart(() => import('./dimmer.tsx'), 'Dimmer');

/** About that of the clock, so that little moves below it once it is loaded. */
const CLOCK_HEIGHT = 'clamp(72px, 46px + 6vw, 134px)';

export function KioskShell({ kiosk: { dim }, children }: { readonly kiosk: Kiosk; readonly children: ReactNode }) {
  return (
    <main id="content" tabIndex={-1} className={classes.main}>
      <ConnectionNotice />
      <Suspense fallback={<div style={{ height: CLOCK_HEIGHT }} />}>
        <Clock />
      </Suspense>
      {children}
      {dim && (
        <Suspense>
          <Dimmer hours={dim} />
        </Suspense>
      )}
    </main>
  );
}
