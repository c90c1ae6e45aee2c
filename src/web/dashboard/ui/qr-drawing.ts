/**
 * Renders QR codes locally: no link leaves this browser for it. They are dark on light in every colour scheme, because
 * cameras need that, with the quiet zone of four modules that ISO/IEC 18004 requires.
 */
import encodeQR from 'qr';

const QUIET_MODULES = 4;
export const PAPER = '#ffffff';
export const INK = '#111111';

export interface QrDrawing {
  /** The side with the quiet zone, in modules. */
  readonly size: number;
  /** Horizontal runs of dark modules. */
  readonly path: string;
}

export function drawQr(value: string): QrDrawing {
  const rows = encodeQR(value, 'raw', { ecc: 'medium', border: QUIET_MODULES });
  const runs = rows.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`));
  return { size: rows.length, path: runs.join('') };
}

/** The start and length of each run of dark modules. */
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

/** As an SVG file for printers and screens of any size. */
export function qrFile(value: string): Blob {
  const { size, path } = drawQr(value);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="${PAPER}" d="M0 0h${size}v${size}H0z"/><path fill="${INK}" d="${path}" shape-rendering="crispEdges"/></svg>`;
  return new Blob([svg], { type: 'image/svg+xml' });
}
