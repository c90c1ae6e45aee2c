/** A whole flow as JSON, for experts. */
import commonTexts from 'texts:common';
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { parseFlowText } from '../flow/flow-record.ts';
import { withIds } from '../flow/node-ids.ts';
import classes from './editor.module.css';
import { useEditor } from './editor-context.tsx';

export function TextDialog({ close }: { readonly close: () => void }) {
  const { session, texts } = useEditor();
  const common = useTexts(commonTexts);
  const [text, setText] = useState(() => JSON.stringify(session.flow, null, 2));
  const [fault, setFault] = useState<string>();
  const apply = () => {
    try {
      session.replace(withIds(parseFlowText(text)));
      close();
    } catch (error) {
      setFault(error instanceof SyntaxError ? texts.inputs.badJson : texts.text.bad);
    }
  };
  return (
    <Modal opened onClose={close} title={texts.text.title} size="xl">
      <Stack>
        <Text c="dimmed" className="h-anywhere">
          {texts.text.lead}
        </Text>
        <Textarea
          label={texts.text.label}
          error={fault}
          value={text}
          autosize
          minRows={10}
          maxRows={24}
          spellCheck={false}
          className={`${classes.code} ${classes.whole}`}
          data-autofocus
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button onClick={apply}>{texts.text.apply}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
