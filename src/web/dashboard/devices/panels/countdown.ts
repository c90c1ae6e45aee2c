/** Counts down between two reports of the device. */
import { useEffect, useState } from 'react';

const TICK_MS = 1000;

/** The current time, updated each second while a countdown runs. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}

/** @param seconds the rest at the time of the report. @returns the rest now */
export function useCountdown(seconds: number | undefined): number | undefined {
  const [reported, setReported] = useState({ seconds, at: Date.now() });
  if (reported.seconds !== seconds) setReported({ seconds, at: Date.now() });
  const now = useNow((seconds ?? 0) > 0);
  if (seconds === undefined) return undefined;
  return Math.max(seconds - Math.max(Math.floor((now - reported.at) / TICK_MS), 0), 0);
}
