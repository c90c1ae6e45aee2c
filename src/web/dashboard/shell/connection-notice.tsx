/** Shows when the displayed data may be out of date, and why; the content then loses its colour. */
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { useHome, useRights } from '../home/use-home.ts';
import { live, useLiveState } from '../live/live-connection.ts';
import { useFormat } from '../texts/format.ts';
import { useTexts } from '../texts/texts.ts';
import './connection-notice.css';
import shellTexts from 'texts:shell';
import classes from './shell.module.css';

export function ConnectionNotice() {
  const t = useTexts(shellTexts);
  const format = useFormat();
  const { status, since } = useLiveState();
  const { paused, connected } = useHome();
  const { canManage } = useRights();
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
        <span role="status">
          {sentence}
          {isLost && ` ${t.lostAt({ time: format.time(since) })}`}
        </span>
      </span>
      {!isLost && paused && canManage && (
        <Button size="compact-md" variant="default" component={Link} href="/settings/home">
          {t.homeSettings}
        </Button>
      )}
      {isLost && (
        <Button size="compact-md" variant="default" onClick={() => live.retryNow()}>
          {t.reconnect}
        </Button>
      )}
    </div>
  );
}
