/**
 * Replaces the whole page if the first requests to the relay fail. It is in the first script, because no other script
 * may be reachable.
 */

import commonTexts from 'texts:common';
import shellTexts from 'texts:shell';
import { Button } from '@mantine/core';
import { Unplug } from 'lucide-react';
import { isOffline } from '../api/api-error.ts';
import { useTexts } from '../texts/texts.ts';
import { useErrorText } from '../ui/error-text.ts';
import { EmptyState } from '../ui/page.tsx';
import classes from './shell.module.css';

export function RelayAway({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const t = useTexts(shellTexts);
  const { retry } = useTexts(commonTexts);
  const textOf = useErrorText();
  return (
    <main id="content" className={classes.alone}>
      <EmptyState
        isPage
        icon={<Unplug size={32} />}
        title={isOffline(error) ? t.away : t.notOpened}
        action={<Button onClick={onRetry}>{retry}</Button>}
      >
        <span role="alert">{textOf(error)}</span>
      </EmptyState>
    </main>
  );
}
