/** Below a field for an expression or a text with templates: what it comes to now, or what is wrong with it. */
import expressionTexts from 'texts:expressions';
import { VisuallyHidden } from '@mantine/core';
import { CircleAlert, Equal } from 'lucide-react';
import { useHome } from '../../../home/use-home.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useErrorText } from '../../../ui/error-text.ts';
import classes from './expressions.module.css';
import { type EvaluatedExpression, type PreviewInput, usePreview } from './use-preview.ts';

interface ExpressionPreviewProps {
  readonly input: PreviewInput;
  /** Also names what it reads. */
  readonly isDetailed?: boolean;
}

export function ExpressionPreview({ input, isDetailed = false }: ExpressionPreviewProps) {
  const t = useTexts(expressionTexts);
  const errorText = useErrorText();
  const { preview, failure } = usePreview(input);
  const fault = failure ? errorText(failure) : preview?.error && t.faultAt(placeOf(preview.error));
  return (
    <div role="status" className={classes.preview} data-tone={fault === undefined ? undefined : 'bad'}>
      {fault === undefined && preview && (
        <p className={classes.result}>
          <Equal aria-hidden size={16} />
          <VisuallyHidden>{t.now}</VisuallyHidden>
          <output>{shown(preview.value)}</output>
        </p>
      )}
      {fault !== undefined && (
        <p className={classes.result}>
          <CircleAlert aria-hidden size={16} />
          <span>{fault}</span>
        </p>
      )}
      {preview?.usesRun && <p className={classes.note}>{t.usesRun}</p>}
      {isDetailed && preview && <Reads preview={preview} />}
    </div>
  );
}

function Reads({ preview: { accessoryIds, usesTime } }: { readonly preview: EvaluatedExpression }) {
  const t = useTexts(expressionTexts);
  const { accessories } = useHome();
  const { list } = useFormat();
  const names = accessories.filter(({ id }) => accessoryIds.includes(id)).map(({ name }) => name);
  const all = [...names, ...(usesTime ? [t.time] : [])];
  if (all.length === 0) return null;
  return <p className={classes.note}>{t.reads({ names: list(all) })}</p>;
}

function placeOf({ line, column, message }: NonNullable<EvaluatedExpression['error']>) {
  return { line: String(line), column: String(column), message };
}

/** A text as it is, anything else as JSON. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}
