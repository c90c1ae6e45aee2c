/** Darkens the screen during its hours until it is touched. The touch that wakes it does nothing else. */
import shellTexts from 'texts:shell';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import classes from './dimmer.module.css';
import { type DimHours, isDimAt } from './kiosk.ts';

const IDLE_MS = 60_000;
const LOOK_EVERY_MS = 5_000;

export function Dimmer({ hours }: { readonly hours: DimHours }) {
  const t = useTexts(shellTexts);
  const lastTouch = useRef(Number.NEGATIVE_INFINITY);
  const [isDim, setDim] = useState(() => isDimAt(hours, new Date()));
  useEffect(() => {
    const look = () => setDim(isDimAt(hours, new Date()) && performance.now() - lastTouch.current >= IDLE_MS);
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
  }, [hours]);
  if (!isDim) return null;
  return <button type="button" className={classes.dark} aria-label={t.wake} onClick={() => setDim(false)} />;
}
