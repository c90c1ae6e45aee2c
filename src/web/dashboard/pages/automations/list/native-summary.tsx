/** A simple automation in a few lines, like `FlowSummary` for an advanced one. */

import listTexts from 'texts:automations';
import nativeTexts from 'texts:native-automations';
import { useTexts } from '../../../texts/texts.ts';
import classes from '../flow/flow-summary.module.css';
import type { NativeDraft } from '../native/native-draft.ts';
import { summaryOf } from '../native/native-words.ts';
import { useNativeWords } from '../native/use-native-words.ts';

/** @param most the maximum number of lines in each part; all if left out */
export function NativeSummary({ draft, most }: { readonly draft: NativeDraft; readonly most?: number }) {
  const t = useTexts(nativeTexts);
  const { starts } = useTexts(listTexts);
  const words = useNativeWords();
  const summary = summaryOf(draft, words);
  return (
    <dl className={classes.summary}>
      <Lines title={starts} lines={summary.when} most={most} />
      <Lines title={t.ifTitle} lines={summary.onlyIf} most={most} />
      <Lines title={t.thenTitle} lines={summary.does} most={most} />
      <Lines title={t.untilTitle} lines={summary.until} most={most} />
    </dl>
  );
}

interface LinesProps {
  readonly title: string;
  readonly lines: readonly string[];
  readonly most: number | undefined;
}

function Lines({ title, lines, most = lines.length }: LinesProps) {
  const t = useTexts(listTexts);
  if (lines.length === 0) return null;
  const left = lines.length - most;
  return (
    <>
      <dt>{title}</dt>
      {[...new Set(lines)].slice(0, most).map((line) => (
        <dd key={line}>{line}</dd>
      ))}
      {left > 0 && <dd>{t.andMore({ count: left })}</dd>}
    </>
  );
}
