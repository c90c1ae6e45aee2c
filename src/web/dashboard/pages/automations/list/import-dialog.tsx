/** Imports an advanced automation from an exported file, or from its text. */

import listTexts from 'texts:automations';
import { FileInput, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { act } from '../../../api/client.ts';
import { useHome } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { EntityDialog } from '../../../ui/entity-dialog.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { pageOf } from './addresses.ts';
import { ImportFlow } from './list-document.ts';

/** Larger than any automation, and small enough to read. */
const MAX_FILE_BYTES = 1_000_000;

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(listTexts);
  const { id: homeId } = useHome();
  const [, navigate] = useLocation();
  const bring = async ({ data }: Values) => {
    const { importFlow } = await act(ImportFlow, { homeId, data });
    if (!importFlow) return;
    showToast({ text: t.imported({ name: importFlow.name }) });
    navigate(pageOf('flows', importFlow.id));
  };
  return (
    <EntityDialog<Values>
      title={t.importTitle}
      action={t.importDo}
      initialValues={{ data: '' }}
      subjects={['automations']}
      onSubmit={bring}
      onClose={onClose}
      isIncomplete={({ data }) => data.trim() === ''}
      size="lg"
    >
      {(form) => <ImportFields form={form} />}
    </EntityDialog>
  );
}

interface Values {
  readonly data: string;
}

function ImportFields({ form }: { readonly form: UseFormReturnType<Values> }) {
  const t = useTexts(listTexts);
  const [isTooLarge, setTooLarge] = useState(false);
  const take = async (file: File | null) => {
    setTooLarge(file !== null && file.size > MAX_FILE_BYTES);
    if (file && file.size <= MAX_FILE_BYTES) form.setFieldValue('data', await file.text());
  };
  return (
    <>
      <span>{t.importText}</span>
      <FileInput
        label={t.importChoose}
        placeholder={t.importKinds}
        leftSection={<FileUp size={18} aria-hidden />}
        accept=".yaml,.yml,.json,application/json,text/yaml"
        error={isTooLarge ? t.tooLarge : undefined}
        onChange={(file) => void take(file)}
      />
      <Textarea
        label={t.importPaste}
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.getInputProps('data')}
      />
    </>
  );
}
