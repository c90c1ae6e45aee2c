/** A dry run of the draft, saved or not. */
import { Dialog } from '../../../ui/dialog.tsx';
import { DryRunPanel } from '../dry-run/dry-run-panel.tsx';
import { useEditor } from './editor-context.tsx';

export function TryPanel({ close }: { readonly close: () => void }) {
  const { state, texts, flowId } = useEditor();
  return (
    <Dialog onClose={close} title={texts.tools.tryIt} size="xl" centered={false}>
      <DryRunPanel flowId={flowId} data={state.flow} flow={state.flow} />
    </Dialog>
  );
}
