/**
 * A text to copy: a token, a link. If the browser blocks the clipboard, the text is selected and a message explains it.
 */

import './unseen.css';
import commonTexts from 'texts:common';
import { Button, InputBase } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTexts } from '../texts/texts.ts';
import { copyText } from './copy.ts';
import classes from './copy-field.module.css';

export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const t = useTexts(commonTexts);
  const input = useRef<HTMLTextAreaElement>(null);
  const [state, setState] = useState<'idle' | 'copied' | 'selected'>('idle');
  const copy = async () => {
    const done = await copyText(value);
    if (!done) input.current?.select();
    setState(done ? 'copied' : 'selected');
  };
  const Icon = state === 'copied' ? Check : Copy;
  return (
    <div className={classes.field}>
      <InputBase
        component="textarea"
        ref={input}
        label={label}
        value={value}
        readOnly
        rows={1}
        multiline
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
        className={classes.input ?? ''}
        classNames={{ wrapper: classes.whole ?? '', input: classes.text ?? '' }}
        attributes={{ wrapper: { 'data-value': value } }}
        description={state === 'selected' ? t.copyByHand : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Button variant="default" onClick={() => void copy()} aria-live="polite" className={classes.copy ?? ''}>
        <Icon aria-hidden size={20} />
        <span className="h-unseen-phone">{state === 'copied' ? t.copied : t.copy}</span>
      </Button>
    </div>
  );
}
