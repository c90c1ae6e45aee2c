/** Loads the dialog of questions when the first is asked: no page needs it before. */
import { Suspense } from 'react';
import { useQuestion } from './confirm.ts';
import { lazyPart } from './load-part.ts';

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'), 'ConfirmDialog');

export function ConfirmHost() {
  const { question } = useQuestion();
  if (!question) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog />
    </Suspense>
  );
}
