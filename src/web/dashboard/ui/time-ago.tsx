/** A time as "5 minutes ago", kept up to date; the exact time is its title. */
import { useEffect, useState } from 'react';
import { useFormat } from '../texts/format.ts';

const LOOK_EVERY_MS = 20_000;

export function TimeAgo({ at }: { readonly at: string | number }) {
  const format = useFormat();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {format.relative(at, Math.max(now, Date.now()))}
    </time>
  );
}
