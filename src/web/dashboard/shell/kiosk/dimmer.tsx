/** Darkens the screen during its hours until it is touched. The touch that wakes it does nothing else. */
import shellTexts from 'texts:shell';
import { useEffect, useRef, useState } from 'react';
import { useHomeZone } from '../../home/home-zone.ts';
import { useTexts } from '../../texts/texts.ts';
import { wallText } from '../../texts/wall-time.ts';
import { isDimAt, parseDimHours } from './dim-hours.ts';
import classes from './dimmer.module.css';

const IDLE_MS = 60_000;
const LOOK_EVERY_MS = 5_000;

export function Dimmer({ query }: { readonly query: string }) {
  const t = useTexts(shellTexts);
  const lastTouch = useRef(Number.NEGATIVE_INFINITY);
  const zone = useHomeZone();
  const [isDim, setDim] = useState(() => isDimNow(query, zone));
  useEffect(() => {
    const look = () => setDim(isDimNow(query, zone) && performance.now() - lastTouch.current >= IDLE_MS);
    const onTouch = () => {
      lastTouch.current = performance.now();
    };
    const onKey = () => {
      onTouch();
      setDim(false);
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    addEventListener('pointerdown', onTouch, { capture: true });
    addEventListener('keydown', onKey, { capture: true });
    return () => {
      clearInterval(timer);
      removeEventListener('pointerdown', onTouch, { capture: true });
      removeEventListener('keydown', onKey, { capture: true });
    };
  }, [query, zone]);
  if (!isDim) return null;
  return <button type="button" className={classes.dark} aria-label={t.wake} onClick={() => setDim(false)} />;
}

function isDimNow(query: string, zone: string | undefined): boolean {
  const hours = parseDimHours(query);
  return hours !== undefined && isDimAt(hours, wallText(Date.now(), zone).slice(-'HH:MM'.length));
}
