/** The time and the day, to be read from across the room. */
import { useEffect, useState } from 'react';
import { useFormat } from '../../texts/format.ts';
import classes from './clock.module.css';
import { clockWords } from './clock-words.ts';

const LOOK_EVERY_MS = 1_000;

export function Clock() {
  const { locale, timeZone } = useFormat();
  const [now, setNow] = useState(wholeMinute);
  useEffect(() => {
    const timer = setInterval(() => setNow(wholeMinute()), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const { time, date } = clockWords(now, locale, timeZone);
  return (
    <div className={classes.top}>
      <time className={`h-plate ${classes.clock}`} dateTime={new Date(now).toISOString()}>
        <span className={classes.time}>{time}</span> <span className={classes.date}>{date}</span>
      </time>
    </div>
  );
}

/** Renders nothing before the next minute. */
function wholeMinute(): number {
  return Math.floor(Date.now() / 60_000) * 60_000;
}
