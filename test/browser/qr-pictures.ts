/** What cameras see of the labels on accessories: a video for Chromium's pretended camera, and photos. */
import { renameSync, writeFileSync } from 'node:fs';
import encodeQR from 'qr';

const WIDTH = 640;
const HEIGHT = 480;
/** The pretended camera shows them one after the other, again and again. */
const FRAMES = 3;
const [INK, PAPER, TABLE] = [40, 210, 130];

/** One label in front of a camera: how far it is to the right, its width, how it is turned. */
interface Label {
  readonly text: string;
  /** Pixels, of its middle. */
  readonly x: number;
  readonly width: number;
  readonly turnedBy: number;
}

/** The switches with which Chromium has a camera that sees this file. */
export function cameraSwitches(file: string): readonly string[] {
  return ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${file}`];
}

/**
 * Puts labels before the camera, for each page that switches it on from now on. They lie side by side, a little
 * crooked.
 */
export function showToCamera(file: string, ...texts: readonly string[]): void {
  const room = WIDTH / texts.length;
  const labels = texts.map((text, index) => ({
    text,
    x: room * (index + 0.5),
    width: Math.min(room * 0.7, 200),
    turnedBy: index % 2 === 0 ? 0.3 : -0.2,
  }));
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma(labels), Buffer.alloc((WIDTH * HEIGHT) / 2, 128)]);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420mpeg2\n`);
  // A camera that is on goes on with the file that it has.
  writeFileSync(`${file}.new`, Buffer.concat([header, ...Array<Buffer>(FRAMES).fill(frame)]));
  renameSync(`${file}.new`, file);
}

/** For a file chooser. */
export function photoOf(text: string) {
  return { name: 'label.gif', mimeType: 'image/gif', buffer: Buffer.from(encodeQR(text, 'gif', { scale: 6 })) };
}

function luma(labels: readonly Label[]): Buffer {
  const picture = Buffer.alloc(WIDTH * HEIGHT, TABLE);
  for (const { text, x, width, turnedBy } of labels) {
    const modules = encodeQR(text, 'raw');
    const [cos, sin] = [Math.cos(turnedBy), Math.sin(turnedBy)];
    for (let at = 0; at < picture.length; at += 1) {
      const [right, down] = [(at % WIDTH) - x, Math.floor(at / WIDTH) - HEIGHT / 2];
      const column = Math.floor(((right * cos + down * sin) / width + 0.5) * modules.length);
      const row = Math.floor(((down * cos - right * sin) / width + 0.5) * modules.length);
      const isDark = modules[row]?.[column];
      if (isDark !== undefined) picture[at] = isDark ? INK : PAPER;
    }
  }
  return picture;
}
