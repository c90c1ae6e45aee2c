/** In the place of what the relay shows to a session only while its account has Developer Mode on. */
import connectionsTexts from 'texts:connections';
import { Button } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDeveloperMode } from '../../account/developer-mode.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { EmptyState } from '../../ui/page.tsx';

export function DeveloperGate({ children }: { readonly children: ReactNode }) {
  const { gate: t } = useTexts(connectionsTexts);
  const { isOn, turnOn } = useDeveloperMode();
  if (isOn) return children;
  const button = <Button onClick={() => void attempt(turnOn, 'account')}>{t.turnOn}</Button>;
  return (
    <EmptyState icon={<KeyRound size={32} />} title={t.title} action={button}>
      {t.text}
    </EmptyState>
  );
}
