/** From what is in the network to an accessory in its room: choose, give the code, wait, put it where it is. */
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
import { pairTexts } from './texts/texts.ts';

interface Chosen {
  readonly device: string;
  readonly name: string;
}

/** Where the person is. */
type Stage =
  | { readonly at: 'list' }
  | { readonly at: 'code'; readonly chosen: Chosen; readonly problem?: string; readonly tried?: string }
  | { readonly at: 'pairing'; readonly chosen: Chosen; readonly step: PairingStep | undefined }
  | { readonly at: 'paired'; readonly paired: Paired };

interface PairingFlowProps {
  readonly homeId: string;
  /** Everything is in its place, and nothing more is to be added now. */
  onDone(): void;
  /** Told whether the list is on the screen, around which others put what is theirs. */
  onStage?(isList: boolean): void;
}

export function PairingFlow({ homeId, onDone, onStage }: PairingFlowProps) {
  const explain = useExplanation();
  const [stage, setStage] = useState<Stage>({ at: 'list' });
  // Whoever leaves the page does not want to be led back by an answer that comes late.
  const run = useRef(0);
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
      refresh('house', 'pairings', 'discovery');
      if (run.current === own) go({ at: 'paired', paired });
    } catch (error) {
      if (run.current === own) go({ at: 'code', chosen, problem: explain(error), tried: setupCode });
    }
  };

  if (stage.at === 'list') return <DiscoveredList onChoose={(chosen) => go({ at: 'code', chosen })} />;
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
