/** Imports an advanced automation from an exported file, or from its text. */

import listTexts from 'texts:automations';
import commonTexts from 'texts:common';
import { Button, FileInput, Group, Modal, Stack, Textarea } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useApiMutation } from '../../../api/query.ts';
import { useHome } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { ErrorNotice } from '../../../ui/page.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { pageOf } from './addresses.ts';
import { ImportFlow } from './list-document.ts';

/** Larger than any automation, and small enough to read. */
const MAX_FILE_BYTES = 1_000_000;

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(listTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [isTooLarge, setTooLarge] = useState(false);
  const bring = useApiMutation(ImportFlow, {
    subjects: ['automations'],
    onDone: ({ importFlow }) => {
      if (!importFlow) return;
      showToast({ text: t.imported({ name: importFlow.name }) });
      onClose();
      navigate(pageOf('flows', importFlow.id));
    },
  });
  const take = async (file: File | null) => {
    setTooLarge(file !== null && file.size > MAX_FILE_BYTES);
    if (file && file.size <= MAX_FILE_BYTES) setText(await file.text());
  };
  return (
    <Modal opened onClose={onClose} title={t.importTitle} size="lg" closeButtonProps={{ 'aria-label': common.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          bring.mutate({ homeId, data: text });
        }}
      >
        <Stack>
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
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          {bring.error && <ErrorNotice error={bring.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={bring.isPending} disabled={text.trim() === ''}>
              {t.importDo}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
