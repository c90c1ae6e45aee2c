/** Shows the keyboard shortcuts over every page, at the key `?`. The list is loaded on demand. */
import { Suspense } from 'react';
import { lazyPart } from '../../ui/load-part.ts';
import { useShortcut } from '../shortcut.ts';
import { closeShortcuts, openShortcuts, useAreShortcutsOpen } from './open-shortcuts.ts';

const ShortcutsDialog = lazyPart(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog');

export function ShortcutsHost() {
  const isOpen = useAreShortcutsOpen();
  useShortcut('?', openShortcuts);
  if (!isOpen) return null;
  return (
    <Suspense>
      <ShortcutsDialog onClose={closeShortcuts} />
    </Suspense>
  );
}
