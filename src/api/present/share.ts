import type { Share as ListedShare } from '../../app/sharing/share.ts';
import type { Share } from '../../contract/shares.ts';
import { presentTime } from './time.ts';

export function presentShare(share: ListedShare, urlOf: (hash: string) => string): Share {
  return { ...share, createdAt: presentTime(share.createdAt), shareUrl: urlOf(share.shareHash) };
}
