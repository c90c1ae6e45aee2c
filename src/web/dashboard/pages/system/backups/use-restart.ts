/** Waits for a relay that restarts into a restored backup. */
import { useEffect, useState } from 'react';
import { isOffline } from '../../../api/api-error.ts';
import { ask } from '../../../api/client.ts';
import { queryClient } from '../../../api/query.ts';
import { live } from '../../../live/live-connection.ts';
import { LastRestoreQuery } from './documents.ts';

const LOOK_EVERY_MS = 700;
/** A shorter restart is normal. */
const SLOW_MS = 20_000;

export interface Restart {
  /** When the previous restore finished; `null` if there was none. */
  readonly before: string | null;
}

/** @returns whether it takes longer than usual. @param onOver called when the relay answers again, for every result. */
export function useRestart(restart: Restart | undefined, onOver: () => void): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!restart) return;
    setSlow(false);
    let isOver = false;
    let timer: number | undefined;
    const slow = window.setTimeout(() => setSlow(true), SLOW_MS);
    const look = async (): Promise<void> => {
      const over = await isBack(restart);
      if (isOver) return;
      if (!over) {
        timer = window.setTimeout(() => void look(), LOOK_EVERY_MS);
        return;
      }
      live.retryNow();
      await queryClient.invalidateQueries();
      onOver();
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(slow);
    };
  }, [restart, onOver]);
  return isSlow;
}

/**
 * During shutdown the relay may still answer and report the previous restore. An account that is not in the backup is
 * signed out.
 */
async function isBack({ before }: Restart): Promise<boolean> {
  try {
    const { lastRestore } = await ask(LastRestoreQuery, {});
    return lastRestore !== null && lastRestore?.finishedAt !== before;
  } catch (error) {
    return !isOffline(error) && (error as { code?: string }).code === 'invalid_token';
  }
}
