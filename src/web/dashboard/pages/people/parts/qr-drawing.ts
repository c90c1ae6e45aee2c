/**
 * QR codes, drawn here: no link leaves this browser for it. Dark on light in every colour scheme, for cameras need that, with the four
 * modules of quiet around them that ISO/IEC 18004 asks for.
 */
import encodeQR from 'qr';

const QUIET_MODULES = 4;
export const PAPER = '#ffffff';
export const INK = '#111111';

export interface QrDrawing {
  /** Its side with the quiet zone, in modules. */
  readonly size: number;
  /** One horizontal run of dark modules after the other. */
  readonly path: string;
}

export function drawQr(value: string): QrDrawing {
  const rows = encodeQR(value, 'raw', { ecc: 'medium', border: QUIET_MODULES });
  const runs = rows.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`));
  return { size: rows.length, path: runs.join('') };
}

/** Where dark modules begin, and how many there are. */
function runsOf(row: readonly boolean[]): (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = [];
  let start = -1;
  for (const [x, isDark] of [...row, false].entries()) {
    if (isDark && start < 0) start = x;
    if (isDark || start < 0) continue;
    runs.push([start, x - start]);
    start = -1;
  }
  return runs;
}

/** As a file for printers and screens of any size. */
export function qrFile(value: string): Blob {
  const { size, path } = drawQr(value);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="${PAPER}" d="M0 0h${size}v${size}H0z"/><path fill="${INK}" d="${path}" shape-rendering="crispEdges"/></svg>`;
  return new Blob([svg], { type: 'image/svg+xml' });
}

/** Gives the person a file. @param name as it is called in their downloads. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_MS);
}

/** Browsers begin a download after the click; by then it has begun. */
const RELEASE_MS = 10_000;
