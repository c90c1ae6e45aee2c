/** Programs and people use the same URLs: a client that prefers HTML to JSON gets a page (RFC 9110 §12.5.1). */
import { type ApiContext, headerOf } from './env.ts';

/** @param accept the Accept header. `undefined` and a tie count as a program. */
export function prefersPage(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json');
}

/** The weight in the most specific range that covers the type. */
function qualityOf(accept: string, type: string): number {
  const ranges = [type, type.replace(/\/.*/, '/*'), '*/*'];
  const offers = accept.split(',').map((offer) => {
    const [range = '', ...parameters] = offer
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { range, quality: quality === undefined ? 1 : Number(quality) || 0 };
  });
  for (const range of ranges) {
    const offer = offers.find((candidate) => candidate.range === range);
    if (offer) return offer.quality;
  }
  return 0;
}

export function wantsPage(c: ApiContext): boolean {
  return prefersPage(headerOf(c, 'accept'));
}
