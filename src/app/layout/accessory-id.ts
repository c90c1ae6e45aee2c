import type { HapId } from '../../home/model.ts';
import { uuidV5 } from '../../kernel/ids.ts';

/** hearthd's own namespace for accessory ids; a random UUID, fixed for ever. */
const NAMESPACE = '5b0c1e5e-6f0e-4c43-9a2f-0d7c4f3a1b92';

/** Four hex digits give 65,536 endings; far before that a home is too large for them to matter. */
const MOST_TRIES = 10_000;

/**
 * The id of an accessory: always the same for one device id and aid, and with last four characters that nothing else in its
 * home has, because slugs end in them and clients tell accessories apart by them (decisions §2).
 */
export function deriveAccessoryId(source: string, aid: HapId, takenEndings: ReadonlySet<string>): string {
  const first = uuidV5(NAMESPACE, `${source}/${aid}`);
  let id = first;
  for (let n = 2; takenEndings.has(id.slice(-4)); n += 1) {
    if (n > MOST_TRIES) return first;
    id = uuidV5(NAMESPACE, `${source}/${aid}/${n}`);
  }
  return id;
}
