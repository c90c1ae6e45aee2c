/** Why something can't be published, and what to expect, in the page's language. */
import type { Catalogues } from 'texts:types';
import { isKeyOf } from '../../texts/texts.ts';
import type { Preview } from './publish-documents.ts';

type RemarkTexts = Catalogues['publish']['remarks'];
type Remark = Preview['remarks'][number];

/** @param sentence the relay's, for a newer one's remarks that this page does not know */
export function remarksText(remarks: readonly Remark[], texts: RemarkTexts, sentence: string): string {
  const known = remarks.map((remark) => remarkText(remark, texts));
  const isKnown = known.length > 0 && known.every((text) => text !== undefined);
  return isKnown ? known.join(' ') : sentence;
}

function remarkText({ code, count, limit }: Remark, texts: RemarkTexts): string | undefined {
  if (!isKeyOf(texts, code)) return undefined;
  const text: string | ((numbers: { readonly count: number; readonly limit: number }) => string) = texts[code];
  return typeof text === 'string' ? text : text({ count: count ?? 0, limit: limit ?? 0 });
}
