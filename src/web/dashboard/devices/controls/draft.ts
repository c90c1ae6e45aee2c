/**
 * A value that the user is changing. During the drag, reports of the device do not move it; shortly after release, the
 * device's value counts again. Each step is passed on at once: the writer sends no more than the device accepts.
 */
import { useEffect, useRef, useState } from 'react';

/** The store has the new value with the next frame; slow devices report their old value once more. */
const SETTLE_MS = 400;

export interface ValueDraft {
  readonly shown: number | undefined;
  change(value: number): void;
  hold(): void;
  release(): void;
}

export function useDraft(value: number | undefined, onChange: (value: number) => void): ValueDraft {
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
