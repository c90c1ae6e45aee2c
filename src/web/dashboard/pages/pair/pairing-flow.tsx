/** From the network list to an accessory in its room: choose, enter the code, wait, assign a room. */

import pairTexts from 'texts:pair';
import { useRef, useState } from 'react';
import { refresh } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { CodeForm } from './code-form.tsx';
import { DiscoveredList } from './discovered-list.tsx';
import type { Paired, PairingStep } from './pairing-answer.ts';
import { pairingFailure } from './pairing-failure.ts';
import { PairingProgress } from './pairing-progress.tsx';
import { pair } from './pairing-request.ts';
import { SettleIn } from './settle-in.tsx';

interface Chosen {
  readonly device: string;
  readonly name: string;
}

/** The current step. */
type Stage =
  | { readonly at: 'list' }
  | { readonly at: 'code'; readonly chosen: Chosen; readonly problem?: string; readonly tried?: string }
  | { readonly at: 'pairing'; readonly chosen: Chosen; readonly step: PairingStep | undefined }
  | { readonly at: 'paired'; readonly paired: Paired };

interface PairingFlowProps {
  readonly homeId: string;
  /** The id of a discovered accessory: its code is asked for without a choice. */
  readonly deviceId?: string | undefined;
  /** Every accessory has its room, and the user adds no more now. */
  onDone(): void;
  /** Reports whether the list is visible, so that the page can show content around it. */
  onStage?(isList: boolean): void;
}

export function PairingFlow({ homeId, deviceId, onDone, onStage }: PairingFlowProps) {
  const explain = useExplanation();
  const [stage, setStage] = useState<Stage>({ at: 'list' });
  // After the user leaves the step, a late response must not bring it back.
  const run = useRef(0);
  // "Back" shows the list.
  const offered = useRef(deviceId);
  const go = (next: Stage) => {
    setStage(next);
    onStage?.(next.at === 'list');
  };
  const begin = async (chosen: Chosen, setupCode: string) => {
    run.current += 1;
    const own = run.current;
    go({ at: 'pairing', chosen, step: undefined });
    try {
      const paired = await pair({ device: chosen.device, homeId, setupCode }, (step) => {
        if (run.current === own) setStage({ at: 'pairing', chosen, step });
      });
      refresh('inventory', 'pairings', 'discovery');
      if (run.current === own) go({ at: 'paired', paired });
    } catch (error) {
      if (run.current === own) go({ at: 'code', chosen, problem: explain(error), tried: setupCode });
    }
  };

  if (stage.at === 'list') {
    const choose = (chosen: Chosen) => {
      offered.current = undefined;
      go({ at: 'code', chosen });
    };
    return <DiscoveredList offeredId={offered.current} onChoose={choose} />;
  }
  if (stage.at === 'code') {
    const { chosen, problem, tried } = stage;
    return (
      <CodeForm
        name={chosen.name}
        problem={problem}
        tried={tried}
        onCode={(code) => void begin(chosen, code)}
        onBack={() => go({ at: 'list' })}
      />
    );
  }
  if (stage.at === 'pairing') return <PairingProgress name={stage.chosen.name} step={stage.step} />;
  return <SettleIn homeId={homeId} paired={stage.paired} onMore={() => go({ at: 'list' })} onDone={onDone} />;
}

function useExplanation(): (error: unknown) => string {
  const t = useTexts(pairTexts);
  const errorText = useErrorText();
  return (error) => pairingFailure(error, t.failures) ?? errorText(error);
}
