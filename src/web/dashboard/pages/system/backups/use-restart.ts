/** Waits for a relay that restarts into a backup. */
import { useEffect, useState } from 'react';
import { isOffline } from '../../../api/api-error.ts';
import { ask } from '../../../api/client.ts';
import { queryClient } from '../../../api/query.ts';
import { live } from '../../../live/live-connection.ts';
import { LastRestoreQuery } from './documents.ts';

const LOOK_EVERY_MS = 700;
/** Until then it is the ordinary. */
const SLOW_MS = 20_000;

export interface Restart {
  /** When the restore before this one was over; `null` if there was none. */
  readonly before: string | null;
}

/** @returns whether it takes longer than usual. @param onOver called when the relay answers again, however the restore went. */
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

/** While it stops it may still answer, and say of the former restore; an account that is not in the backup is signed out. */
async function isBack({ before }: Restart): Promise<boolean> {
  try {
    const { lastRestore } = await ask(LastRestoreQuery, {});
    return lastRestore !== null && lastRestore?.finishedAt !== before;
  } catch (error) {
    return !isOffline(error) && (error as { code?: string }).code === 'invalid_token';
  }
}
