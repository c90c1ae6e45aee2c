/** A time as "5 minutes ago", or "5 min ago", kept up to date; the exact time is its title. */
import { useEffect, useState } from 'react';
import { useFormat } from '../texts/format.ts';
import { relativeTime } from '../texts/relative-time.ts';

const LOOK_EVERY_MS = 20_000;

interface TimeAgoProps {
  readonly at: string | number;
  readonly isShort?: boolean;
}

export function TimeAgo({ at, isShort = false }: TimeAgoProps) {
  const format = useFormat();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {relativeTime(format, at, { now: Math.max(now, Date.now()), isShort })}
    </time>
  );
}
