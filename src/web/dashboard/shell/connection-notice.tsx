/** Says when what is on the screen may not be true any more, and why; what is shown meanwhile loses its colour. */
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useHouse } from '../house/use-house.ts';
import { live, useLiveState } from '../live/live-connection.ts';
import { useTexts } from '../texts/texts.ts';
import { TimeAgo } from '../ui/time-ago.tsx';
import './connection-notice.css';
import classes from './shell.module.css';
import { shellTexts } from './texts/texts.ts';

export function ConnectionNotice() {
  const t = useTexts(shellTexts);
  const { status, since } = useLiveState();
  const { paused, connected } = useHouse();
  useEffect(() => {
    document.documentElement.dataset.connection = status;
    return () => {
      delete document.documentElement.dataset.connection;
    };
  }, [status]);
  const isLost = status === 'lost';
  const sentence = isLost ? t.lost : paused ? t.paused : connected ? undefined : t.notConnected;
  return (
    <div data-connection-notice className={sentence === undefined ? undefined : classes.notice}>
      <span>
        {/* How long it has been is not read out each time that it changes. */}
        <span role="status">{sentence}</span>
        {isLost && (
          <>
            {' · '}
            <TimeAgo at={since} />
          </>
        )}
      </span>
      {isLost && (
        <Button size="compact-md" variant="default" onClick={() => live.retryNow()}>
          {t.reconnect}
        </Button>
      )}
    </div>
  );
}
