/**
 * Reads a QR code from a picture: with the browser's detector if there is one, else with our own decoder, which is
 * loaded with this file.
 */
import { decodeQRBatch } from 'qr/decode.js';

/** Available in Chromium on Android and macOS; not in TypeScript's DOM yet. */
interface Detector {
  detect(source: ImageBitmapSource): Promise<readonly { readonly rawValue: string }[]>;
}
type DetectorClass = new (options: { readonly formats: readonly string[] }) => Detector;

/**
 * Larger pictures are scaled down: a code that fills a tenth of this is readable, and phones take pictures of 50
 * megapixels.
 */
const MAX_SIDE_PX = 1_600;
/** The time limit for one photo; a camera soon provides another frame. */
const PHOTO_LIMIT_MS = 4_000;
const FRAME_LIMIT_MS = 40;

/** @returns the content of each visible code: boxes have several, one of them a link to the maker's shop */
export async function readQrPhoto(photo: Blob): Promise<readonly string[]> {
  try {
    const bitmap = await createImageBitmap(photo);
    const texts = await readQr(bitmap, bitmap, PHOTO_LIMIT_MS);
    bitmap.close();
    return texts;
  } catch {
    // Not a picture, or of an unsupported type.
    return [];
  }
}

/** The same for the camera's current frame. */
export function readQrFrame(video: HTMLVideoElement): Promise<readonly string[]> {
  const size = { width: video.videoWidth, height: video.videoHeight };
  return size.width === 0 ? Promise.resolve([]) : readQr(video, size, FRAME_LIMIT_MS);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

async function readQr(
  source: HTMLVideoElement | ImageBitmap,
  size: Size,
  timeLimit: number,
): Promise<readonly string[]> {
  const detected = await detect(source);
  if (detected.length > 0) return detected;
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(size.width, size.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(size.width * scale);
  canvas.height = Math.round(size.height * scale);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return [];
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
  const [results] = await decodeQRBatch([{ data, width, height }], { timeLimit, maxSize: { width, height } });
  return results?.filter((result) => typeof result === 'string') ?? [];
}

async function detect(source: ImageBitmapSource): Promise<readonly string[]> {
  const { BarcodeDetector } = window as { BarcodeDetector?: DetectorClass };
  if (!BarcodeDetector) return [];
  try {
    const codes = await new BarcodeDetector({ formats: ['qr_code'] }).detect(source);
    return codes.map(({ rawValue }) => rawValue);
  } catch {
    // The detector exists, but does not work on this system.
    return [];
  }
}
