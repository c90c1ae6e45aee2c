/** Shows when the displayed data may be out of date, and why; the content then loses its colour. */
import { Button } from '@mantine/core';
import { useLayoutEffect } from 'react';
import { Link } from 'wouter';
import { useHome, useKeptAt, useRights } from '../home/use-home.ts';
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
  const keptAt = useKeptAt();
  useLayoutEffect(() => {
    document.documentElement.dataset.connection = status;
    document.documentElement.toggleAttribute('data-kept', keptAt !== undefined);
    return () => {
      delete document.documentElement.dataset.connection;
      delete document.documentElement.dataset.kept;
    };
  }, [status, keptAt]);
  const isLost = status === 'lost';
  const sentence = isLost
    ? t.lost
    : keptAt !== undefined
      ? undefined
      : paused
        ? t.paused
        : connected
          ? undefined
          : t.notConnected;
  return (
    <div data-connection-notice className={sentence === undefined ? undefined : classes.notice}>
      <span>
        <span role="status">
          {sentence}
          {isLost && ` ${t.lostAt({ time: format.recent(keptAt ?? since) })}`}
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
