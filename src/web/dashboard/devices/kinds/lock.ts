import { Lock, LockKeyhole, LockOpen, TriangleAlert } from 'lucide-react';
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import type { DeviceKind } from '../kind.ts';
import { numberOf, serviceOf, writeOf } from '../reading.ts';

export type LockState = 'unlocked' | 'locked' | 'jammed' | 'unknown' | 'locking' | 'unlocking';

const CURRENT: readonly LockState[] = ['unlocked', 'locked', 'jammed', 'unknown'];
export const UNSECURED = 0;
export const SECURED = 1;

/** Locks take a moment: until current and target state agree, the lock is moving. */
export function readLock(service: HomeService | undefined): LockState {
  const current = numberOf(service, 'lock_current_state');
  const target = numberOf(service, 'lock_target_state');
  const isMoving = (current === UNSECURED || current === SECURED) && target !== undefined && target !== current;
  if (isMoving) return target === SECURED ? 'locking' : 'unlocking';
  return CURRENT[current ?? 3] ?? 'unknown';
}

const lockOf = (accessory: HomeAccessory) => serviceOf(accessory, 'lock');

export const lock: DeviceKind = {
  look(accessory) {
    const state = readLock(lockOf(accessory));
    if (state === 'jammed') return { icon: TriangleAlert, tone: 'bad' };
    if (state === 'unknown') return { icon: LockKeyhole, tone: 'note' };
    return state === 'locked' ? { icon: Lock, tone: 'off' } : { icon: LockOpen, tone: 'note' };
  },
  describe: (accessory, t) => t.lock[readLock(lockOf(accessory))],
  act(accessory) {
    const service = lockOf(accessory);
    const isLocked = readLock(service) === 'locked' || readLock(service) === 'locking';
    const writes = writeOf(accessory, service, 'lock_target_state', isLocked ? UNSECURED : SECURED);
    if (writes.length === 0) return undefined;
    // A tap locks unless the lock is certainly locked; it never unlocks without a question.
    return isLocked ? { question: 'unlock', writes } : { writes };
  },
};
