/** A share: one row of who may access an entity through its link (API §2.4, §2.5). Plain values. */
import type { Share as WireShare } from '../../contract/shares.ts';
import { SHARE_ROLES, type ShareRole } from '../../home/vocabulary/sharing.ts';

/** A row as its managers see it. */
export interface Share extends Omit<WireShare, 'createdAt' | 'shareUrl'> {
  readonly createdAt: number;
}

export function isStronger(a: ShareRole, b: ShareRole): boolean {
  return SHARE_ROLES.indexOf(a) > SHARE_ROLES.indexOf(b);
}

/** The strongest role; `null` if the list is empty. */
export function bestRole(roles: readonly ShareRole[]): ShareRole | null {
  if (roles.length === 0) return null;
  return roles.includes('control') ? 'control' : 'view';
}
