/** A link as a QR code, with a label below; when printed, it is alone on the page. */
import { useMemo } from 'react';
import classes from './qr-code.module.css';
import { drawQr, INK, PAPER } from './qr-drawing.ts';

interface QrCodeProps {
  readonly value: string;
  /** The target of the link, as the text alternative. */
  readonly label: string;
  readonly caption?: string;
}

export function QrCode({ value, label, caption }: QrCodeProps) {
  const { size, path } = useMemo(() => drawQr(value), [value]);
  return (
    <div className={classes.sheet}>
      <svg className={classes.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
        <path fill={PAPER} d={`M0 0h${size}v${size}H0z`} />
        <path fill={INK} d={path} shapeRendering="crispEdges" />
      </svg>
      {caption && <p className={classes.caption}>{caption}</p>}
    </div>
  );
}
