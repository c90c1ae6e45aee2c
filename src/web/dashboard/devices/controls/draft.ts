/**
 * A value that a hand is on. While it is held, what the device reports does not move it; soon after it is let go, the device's word
 * counts again. Each step is passed on at once: the writer sends no more than the device takes.
 */
import { useEffect, useRef, useState } from 'react';

/** What was set is in the store with the next frame; slow devices report once what they had before. */
const SETTLE_MS = 400;

export interface Draft {
  readonly shown: number | undefined;
  change(value: number): void;
  hold(): void;
  release(): void;
}

export function useDraft(value: number | undefined, onChange: (value: number) => void): Draft {
  const [draft, setDraft] = useState<number>();
  const isHeld = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const settle = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setDraft(undefined), SETTLE_MS);
  };
  return {
    shown: draft ?? value,
    change(next) {
      setDraft(next);
      onChange(next);
      if (!isHeld.current) settle();
    },
    hold() {
      isHeld.current = true;
      clearTimeout(timer.current);
    },
    release() {
      isHeld.current = false;
      settle();
    },
  };
}
