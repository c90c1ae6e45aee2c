/** A key that works on the whole page, outside of fields and dialogs, which handle their own keys. */
import { useEffect, useRef } from 'react';

export function useShortcut(key: string, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [key]);
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, dialog, [role="combobox"], [role="dialog"]') !== null
  );
}
