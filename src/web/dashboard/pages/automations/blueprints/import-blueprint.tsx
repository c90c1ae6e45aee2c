/** Reads a blueprint from a file. Nothing is saved before its form is. */
import blueprintTexts from 'texts:automation-blueprints';
import commonTexts from 'texts:common';
import { FileInput, Stack, Text } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import type { OfferedBlueprint } from '../../../../../contract/blueprints.ts';
import { MAX_BLUEPRINT_BYTES } from '../../../../../home/vocabulary/limits.ts';
import { ApiError } from '../../../api/api-error.ts';
import { ask } from '../../../api/client.ts';
import { useHome } from '../../../home/use-home.ts';
import { textOf, useTexts } from '../../../texts/texts.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useErrorText } from '../../../ui/error-text.ts';
import { toOffered, versionOf } from './blueprint-values.ts';
import { ReadBlueprint } from './blueprints-document.ts';

interface ImportBlueprintProps {
  readonly onRead: (offered: OfferedBlueprint) => void;
  readonly onClose: () => void;
}

export function ImportBlueprint({ onRead, onClose }: ImportBlueprintProps) {
  const t = useTexts(blueprintTexts);
  const { reasons } = useTexts(commonTexts);
  const errorText = useErrorText();
  const { id: homeId } = useHome();
  const [error, setError] = useState<string>();
  const sentenceOf = (refusal: unknown, text: string): string => {
    if (!(refusal instanceof ApiError)) return errorText(refusal);
    const version = versionOf(text);
    if (refusal.reason === 'blueprint_newer' && version !== undefined) return t.newer({ version });
    return textOf(reasons, refusal.reason) ?? t.wrong({ sentence: refusal.message });
  };
  const read = async (file: File | null) => {
    setError(undefined);
    if (!file) return;
    if (file.size > MAX_BLUEPRINT_BYTES) return setError(reasons.blueprint_too_large);
    const text = await file.text();
    try {
      const { readBlueprint } = await ask(ReadBlueprint, { homeId, file: text });
      if (readBlueprint) onRead(toOffered(readBlueprint));
    } catch (refusal) {
      setError(sentenceOf(refusal, text));
    }
  };
  return (
    <Dialog title={t.importFile} onClose={onClose}>
      <Stack>
        <Text>{t.importText}</Text>
        <FileInput
          label={t.chooseFile}
          placeholder={t.fileKinds}
          leftSection={<FileUp size={18} aria-hidden />}
          accept=".json,application/json"
          error={error}
          onChange={(file) => void read(file)}
        />
      </Stack>
    </Dialog>
  );
}
