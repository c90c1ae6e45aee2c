/** Connects to a device again, without the wait for the next attempt. */
import systemTexts from 'texts:system';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { reconnectOne } from './device-acts.ts';

interface ReconnectButtonProps {
  readonly deviceId: string;
  readonly name: string;
}

export function ReconnectButton({ deviceId, name }: ReconnectButtonProps) {
  const t = useTexts(systemTexts).devices;
  const [isBusy, setBusy] = useState(false);
  const reconnect = async () => {
    setBusy(true);
    await reconnectOne({ deviceId, name });
    setBusy(false);
  };
  return (
    <Button variant="default" loading={isBusy} aria-label={`${t.reconnect}: ${name}`} onClick={() => void reconnect()}>
      {t.reconnect}
    </Button>
  );
}
