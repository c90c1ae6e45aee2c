/** The camera view, until it shows a QR code. Over plain http, browsers do not give pages a camera. */

import pairTexts from 'texts:pair';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import classes from './pair.module.css';
import { readQrFrame } from './read-qr.ts';
import { judgeScanned } from './setup-code.ts';

/** Several scans a second are enough for a hand-held camera. */
const LOOK_EVERY_MS = 150;

interface CameraProps {
  /** A HomeKit code; other codes show a message and are skipped. */
  onCode(payload: string): void;
  onRefused(why: CameraRefusal): void;
  onStop(): void;
}

/** `busy`: another program uses the camera, or it failed. */
export type CameraRefusal = 'none' | 'denied' | 'busy';

export function Camera({ onCode, onRefused, onStop }: CameraProps) {
  const t = useTexts(pairTexts);
  const video = useRef<HTMLVideoElement>(null);
  const acts = useRef({ onCode, onRefused });
  acts.current = { onCode, onRefused };
  const [foreign, setForeign] = useState<'matter' | 'other'>();
  useEffect(() => {
    let isOver = false;
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const scanned = judgeScanned(video.current ? await readQrFrame(video.current) : []);
      if (isOver) return;
      if (typeof scanned === 'object') return acts.current.onCode(scanned.payload);
      // The message stays until another code appears: an unsteady hand loses the code every few frames.
      if (scanned !== 'nothing') setForeign(scanned);
      timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    };
    const begin = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
        if (isOver || !video.current) return stop(stream);
        // The camera was unplugged, or the system ended the stream.
        for (const track of stream.getTracks()) track.onended = () => acts.current.onRefused('busy');
        video.current.srcObject = stream;
        await video.current.play();
        await look();
      } catch (error) {
        if (!isOver) acts.current.onRefused(refusalOf(error));
      }
    };
    void begin();
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop(stream);
    };
  }, []);
  return (
    <div className={classes.camera}>
      <video ref={video} className={classes.video} muted playsInline aria-label={t.scanning} />
      <p role="status">{foreign === undefined ? t.scanning : t.foreignCodes[foreign]}</p>
      <Button variant="default" autoFocus onClick={onStop}>
        {t.stopScan}
      </Button>
    </div>
  );
}

/** By the error names of Media Capture and Streams §10.2. */
function refusalOf(error: unknown): CameraRefusal {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'none';
  return name === 'NotAllowedError' || name === 'SecurityError' ? 'denied' : 'busy';
}

function stop(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
