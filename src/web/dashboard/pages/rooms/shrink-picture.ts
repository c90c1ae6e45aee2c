/**
 * Makes a picture small enough for the relay, in the browser: by fewer pixels and as JPEG. The result has no data of a
 * camera and no place in it.
 */
import { MAX_PICTURE_BYTES } from '../../../../home/vocabulary/room-looks.ts';

/** As wide as a banner on a large screen. */
const MAX_SIDE_PX = 1_600;
/** Photos of cameras have less; more would fill the memory of a phone. */
const MAX_FILE_BYTES = 60_000_000;
const QUALITIES = [0.85, 0.75, 0.65, 0.55] as const;
const SMALLER = 0.75;
/** Even noise fits then. */
const MIN_SIDE_PX = 64;

/** Why a file can't be used: the relay's words for it. */
export type PictureFault = 'not_a_picture' | 'picture_incomplete' | 'picture_too_large';

/** @returns the smaller picture, or why there is none */
export async function shrinkPicture(file: Blob): Promise<Blob | PictureFault> {
  if (file.size > MAX_FILE_BYTES) return 'picture_too_large';
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return (await looksLikePicture(file)) ? 'picture_incomplete' : 'not_a_picture';
  }
  try {
    return (await encode(bitmap)) ?? 'picture_too_large';
  } finally {
    bitmap.close();
  }
}

async function encode(bitmap: ImageBitmap): Promise<Blob | undefined> {
  const longest = Math.max(bitmap.width, bitmap.height);
  for (let side = Math.min(longest, MAX_SIDE_PX); side >= Math.min(MIN_SIDE_PX, longest); side *= SMALLER) {
    const canvas = draw(bitmap, side / longest);
    for (const quality of QUALITIES) {
      const picture = await canvas.convertToBlob({ type: 'image/jpeg', quality });
      if (picture.size <= MAX_PICTURE_BYTES) return picture;
    }
  }
  return undefined;
}

function draw(bitmap: ImageBitmap, scale: number): OffscreenCanvas {
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser can not draw');
  // JPEG has no transparency: it would be black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** The first bytes of JPEG, PNG and WebP. */
const STARTS = [/^\u00ff\u00d8\u00ff/, /^\u0089PNG/, /^RIFF.{4}WEBP/s] as const;

async function looksLikePicture(file: Blob): Promise<boolean> {
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  return STARTS.some((pattern) => pattern.test(start));
}
