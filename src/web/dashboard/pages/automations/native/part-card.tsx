/** One part of an automation in the form: its sentence, its fields, and a button to remove it. */
import nativeTexts from 'texts:native-automations';
import { ActionIcon, Group, Text } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import classes from './native-editor.module.css';

interface PartCardProps {
  readonly sentence: string;
  readonly error: ReactNode;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}

export function PartCard({ sentence, error, onRemove, children }: PartCardProps) {
  const t = useTexts(nativeTexts);
  return (
    <li className={classes.card} data-faulty={error ? true : undefined}>
      <Group gap={8} align="flex-start" wrap="nowrap" justify="space-between">
        <Text fw={600} pt={10} miw={0} className="h-anywhere">
          {sentence}
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          onClick={onRemove}
          aria-label={t.remove({ what: sentence })}
        >
          <Trash2 size={20} aria-hidden />
        </ActionIcon>
      </Group>
      {children}
      {error && (
        <Text c="var(--h-bad-ink)" role="alert">
          {error}
        </Text>
      )}
    </li>
  );
}
