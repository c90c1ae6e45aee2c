/** Reads a QR code from a picture: by the browser where it can, else by our own decoder, which is loaded with this file. */
import decodeQR from 'qr/decode.js';

/** Chromium's, on Android and macOS; not in TypeScript's DOM yet. */
interface Detector {
  detect(source: ImageBitmapSource): Promise<readonly { readonly rawValue: string }[]>;
}
type DetectorClass = new (options: { readonly formats: readonly string[] }) => Detector;

/** Larger pictures are made smaller: a code that fills a tenth of this can be read, and phones make pictures of 50 megapixels. */
const LARGEST_SIDE_PX = 1_600;
/** How long a single photo may be looked at; a camera has another frame soon. */
const PHOTO_LIMIT_MS = 4_000;
const FRAME_LIMIT_MS = 40;

/** @returns what stands in it; `undefined` if there is none to be seen */
export async function readQrPhoto(photo: Blob): Promise<string | undefined> {
  try {
    const bitmap = await createImageBitmap(photo);
    const text = await readQr(bitmap, bitmap, PHOTO_LIMIT_MS);
    bitmap.close();
    return text;
  } catch {
    // No picture, or of a kind that the browser does not know.
    return undefined;
  }
}

/** The same of what the camera sees at this moment. */
export function readQrFrame(video: HTMLVideoElement): Promise<string | undefined> {
  const size = { width: video.videoWidth, height: video.videoHeight };
  return size.width === 0 ? Promise.resolve(undefined) : readQr(video, size, FRAME_LIMIT_MS);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

async function readQr(
  source: HTMLVideoElement | ImageBitmap,
  size: Size,
  timeLimit: number,
): Promise<string | undefined> {
  const detected = await detect(source);
  if (detected !== undefined) return detected;
  const scale = Math.min(1, LARGEST_SIDE_PX / Math.max(size.width, size.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(size.width * scale);
  canvas.height = Math.round(size.height * scale);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
  try {
    return decodeQR({ data, width, height }, { timeLimit });
  } catch {
    // None in it, or none that can be read.
    return undefined;
  }
}

async function detect(source: ImageBitmapSource): Promise<string | undefined> {
  const { BarcodeDetector } = window as { BarcodeDetector?: DetectorClass };
  if (!BarcodeDetector) return undefined;
  try {
    const [code] = await new BarcodeDetector({ formats: ['qr_code'] }).detect(source);
    return code?.rawValue;
  } catch {
    // It is there, and has nothing to work with on this system.
    return undefined;
  }
}
