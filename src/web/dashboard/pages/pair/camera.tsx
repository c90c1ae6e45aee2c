/** What the camera sees, until there is a QR code in it. Over plain http browsers give pages no camera. */
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../texts/texts.ts';
import classes from './pair.module.css';
import { readQrFrame } from './read-qr.ts';
import { pairTexts } from './texts/texts.ts';

/** Several looks a second are as many as a hand that aims can tell apart. */
const LOOK_EVERY_MS = 150;

interface CameraProps {
  onCode(text: string): void;
  /** It is not there, or may not be used. */
  onRefused(): void;
  onStop(): void;
}

export function Camera({ onCode, onRefused, onStop }: CameraProps) {
  const t = useTexts(pairTexts);
  const video = useRef<HTMLVideoElement>(null);
  const acts = useRef({ onCode, onRefused });
  acts.current = { onCode, onRefused };
  useEffect(() => {
    let isOver = false;
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const text = video.current ? await readQrFrame(video.current) : undefined;
      if (isOver) return;
      if (text === undefined) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
      else acts.current.onCode(text);
    };
    const begin = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
        if (isOver || !video.current) return stop(stream);
        video.current.srcObject = stream;
        await video.current.play();
        await look();
      } catch {
        if (!isOver) acts.current.onRefused();
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
      <p role="status">{t.scanning}</p>
      <Button variant="default" size="md" onClick={onStop}>
        {t.stopScan}
      </Button>
    </div>
  );
}

function stop(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
