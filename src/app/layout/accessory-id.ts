import type { HapId } from '../../home/model.ts';
import { uuidV5 } from '../../kernel/ids.ts';

/** hearthd's namespace for accessory ids; a fixed random UUID. */
const NAMESPACE = '5b0c1e5e-6f0e-4c43-9a2f-0d7c4f3a1b92';

/** Four hex digits give 65,536 endings; no home is large enough to use them up. */
const MAX_TRIES = 10_000;

/**
 * The id of an accessory: always the same for one device id and aid. Its last four characters are unique in its home,
 * because slugs end in them and clients distinguish accessories by them (decisions §2).
 */
export function deriveAccessoryId(source: string, aid: HapId, takenEndings: ReadonlySet<string>): string {
  const first = uuidV5(NAMESPACE, `${source}/${aid}`);
  let id = first;
  for (let n = 2; takenEndings.has(id.slice(-4)); n += 1) {
    if (n > MAX_TRIES) return first;
    id = uuidV5(NAMESPACE, `${source}/${aid}/${n}`);
  }
  return id;
}
