/**
 * Addresses of the pictures of rooms and homes. The API takes the session in a header, which an image can't send, so
 * pictures are fetched like other data. The page keeps them until the session ends, and the browser never.
 */
import { fetchRest } from '../../api/client.ts';
import { sessionHolder } from '../../api/session.ts';

/** By hash: a picture that changes has another one. */
const urls = new Map<string, Promise<string>>();

let isWatched = false;

/** The pictures go with the session. */
function watchSession(): void {
  if (isWatched) return;
  isWatched = true;
  sessionHolder.subscribe(() => {
    if (sessionHolder.get()) return;
    for (const url of urls.values()) void url.then((text) => URL.revokeObjectURL(text)).catch(() => undefined);
    urls.clear();
  });
}

export function pathOfPicture(of: 'rooms' | 'homes', id: string): string {
  return `/rest/${of}/${encodeURIComponent(id)}/picture`;
}

/** @throws `ApiError` */
export async function fetchPicture(path: string): Promise<Blob> {
  return await (await fetchRest(path, { cache: 'no-store' })).blob();
}

/** @throws `ApiError`; the next call tries again */
export function pictureUrl(path: string, hash: string): Promise<string> {
  const known = urls.get(hash);
  if (known !== undefined) return known;
  watchSession();
  const url = fetchPicture(path).then((picture) => URL.createObjectURL(picture));
  urls.set(hash, url);
  url.catch(() => urls.delete(hash));
  return url;
}
