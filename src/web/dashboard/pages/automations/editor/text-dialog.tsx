/** A whole flow as JSON, for experts. */
import { Text, Textarea } from '@mantine/core';
import { EntityDialog } from '../../../ui/entity-dialog.tsx';
import { parseFlowText } from '../flow/flow-record.ts';
import { withIds } from '../flow/node-ids.ts';
import classes from './editor.module.css';
import { useEditor } from './editor-context.tsx';

export function TextDialog({ close }: { readonly close: () => void }) {
  const { session, texts } = useEditor();
  const validate = ({ text }: { readonly text: string }) => {
    try {
      parseFlowText(text);
      return {};
    } catch (error) {
      return { text: error instanceof SyntaxError ? texts.inputs.badJson : texts.text.bad };
    }
  };
  return (
    <EntityDialog
      title={texts.text.title}
      action={texts.text.apply}
      initialValues={{ text: JSON.stringify(session.flow, null, 2) }}
      validate={validate}
      subjects={[]}
      onSubmit={async ({ text }) => session.replace(withIds(parseFlowText(text)))}
      onClose={close}
      size="xl"
    >
      {(form) => (
        <>
          <Text c="dimmed" className="h-anywhere">
            {texts.text.lead}
          </Text>
          <Textarea
            label={texts.text.label}
            autosize
            minRows={10}
            maxRows={24}
            spellCheck={false}
            className={`${classes.code} ${classes.whole}`}
            data-autofocus
            {...form.getInputProps('text')}
          />
        </>
      )}
    </EntityDialog>
  );
}
