/** Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y) for the whole flow; inside a text field the browser handles them. */
import { useEffect } from 'react';
import type { EditSession } from './edit-session.ts';

export function useUndoKeys(session: EditSession): void {
  useEffect(() => {
    const obey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping(event.target)) return;
      const key = event.key.toLowerCase();
      const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
      if (!isRedo && key !== 'z') return;
      event.preventDefault();
      if (isRedo) session.redo();
      else session.undo();
    };
    document.addEventListener('keydown', obey);
    return () => document.removeEventListener('keydown', obey);
  }, [session]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
