import { renderSVG } from 'uqr';
import { answer } from '../respond.ts';

/** Scanned from a screen or a print on the fridge: some of it may be dirty. */
const ERROR_CORRECTION = 'M';
/** The quiet zone of four modules (ISO/IEC 18004). */
const QUIET_MODULES = 4;

/** An image of the link, for a client that has the link already. */
export function answerQrCode(url: string): Response {
  const svg = renderSVG(url, { ecc: ERROR_CORRECTION, border: QUIET_MODULES, whiteColor: '#fff', blackColor: '#000' });
  return answer(svg, 200, { 'Content-Type': 'image/svg+xml' });
}
