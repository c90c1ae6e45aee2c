/**
 * Addresses of the pictures of rooms. The API takes the session in a header, which an image can't send, so pictures are
 * fetched like other data. The browser keeps them and asks whether they are still the same.
 */
import { fetchRest } from '../../api/client.ts';

/** By hash: a picture that changes has another one. */
const urls = new Map<string, Promise<string>>();

export function pathOfPicture(roomId: string): string {
  return `/rest/rooms/${encodeURIComponent(roomId)}/picture`;
}

/** @throws `ApiError` */
export async function fetchPicture(roomId: string): Promise<Blob> {
  return await (await fetchRest(pathOfPicture(roomId), { cache: 'no-cache' })).blob();
}

/** @throws `ApiError`; the next call tries again */
export function pictureUrl(roomId: string, hash: string): Promise<string> {
  const known = urls.get(hash);
  if (known !== undefined) return known;
  const url = fetchPicture(roomId).then((picture) => URL.createObjectURL(picture));
  urls.set(hash, url);
  url.catch(() => urls.delete(hash));
  return url;
}
