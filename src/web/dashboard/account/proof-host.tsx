/** Loads the dialog that asks for a proof when the relay needs one for the first time. */
import { Suspense, useState, useSyncExternalStore } from 'react';
import { isProofAsked, onProofAsked } from '../api/proof.ts';
import { lazyPart } from '../ui/load-part.ts';

const ProofDialog = lazyPart(() => import('./proof-dialog.tsx'), 'ProofDialog');

export function ProofHost() {
  const isAsked = useSyncExternalStore(onProofAsked, isProofAsked);
  const [wasAsked, setWasAsked] = useState(false);
  if (isAsked && !wasAsked) setWasAsked(true);
  if (!wasAsked) return null;
  return (
    <Suspense fallback={null}>
      <ProofDialog isOpen={isAsked} />
    </Suspense>
  );
}
