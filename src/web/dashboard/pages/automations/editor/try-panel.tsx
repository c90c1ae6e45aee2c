/** A dry run of the draft, saved or not. */
import { Modal } from '@mantine/core';
import { DryRunPanel } from '../dry-run/dry-run-panel.tsx';
import { useEditor } from './editor-context.tsx';

export function TryPanel({ close }: { readonly close: () => void }) {
  const { state, texts, flowId } = useEditor();
  return (
    <Modal opened onClose={close} title={texts.tools.tryIt} size="xl">
      <DryRunPanel flowId={flowId} data={state.flow} flow={state.flow} />
    </Modal>
  );
}
