/** Says when what is on the screen may not be true any more, and why. */
import { Button } from '@mantine/core';
import { useHouse } from '../house/use-house.ts';
import { live, useLiveState } from '../live/live-connection.ts';
import { useTexts } from '../texts/texts.ts';
import { TimeAgo } from '../ui/time-ago.tsx';
import classes from './shell.module.css';
import { shellTexts } from './texts/texts.ts';

export function ConnectionNotice() {
  const t = useTexts(shellTexts);
  const { status, since } = useLiveState();
  const { paused, connected } = useHouse();
  return (
    <div role="status">
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
