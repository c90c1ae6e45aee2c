/** The frame around pages on a tablet at the wall: the page alone. */
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../ui/load-part.ts';
import { ConnectionNotice } from '../connection-notice.tsx';
import classes from '../shell.module.css';
import type { Kiosk } from './kiosk.ts';
import top from './kiosk-shell.module.css';

const Clock = lazyPart(() => import('./clock.tsx'), 'Clock');
const Dimmer = lazyPart(() => import('./dimmer.tsx'), 'Dimmer');

export function KioskShell({ kiosk: { dim }, children }: { readonly kiosk: Kiosk; readonly children: ReactNode }) {
  return (
    <main id="content" tabIndex={-1} className={classes.main}>
      <ConnectionNotice />
      <div className={top.top}>
        <Suspense>
          <Clock />
        </Suspense>
      </div>
      {children}
      {dim && (
        <Suspense>
          <Dimmer hours={dim} />
        </Suspense>
      )}
    </main>
  );
}
