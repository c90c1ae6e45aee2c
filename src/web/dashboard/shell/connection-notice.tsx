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
  return (
    <div role="status" data-connection-notice>
      {status === 'lost' ? (
        <div className={classes.notice}>
          <span>
            {t.lost} <TimeAgo at={since} />
          </span>
          <Button size="compact-md" variant="default" onClick={() => live.retryNow()}>
            {t.reconnect}
          </Button>
        </div>
      ) : (
        (paused && <div className={classes.notice}>{t.paused}</div>) ||
        (!connected && <div className={classes.notice}>{t.notConnected}</div>)
      )}
    </div>
  );
}
