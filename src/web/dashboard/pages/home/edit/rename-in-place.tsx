/** A name that becomes a text field on click: Enter saves the input, Escape restores the name. */
import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { MAX_NAME_LENGTH } from '../../../../../home/vocabulary/limits.ts';
import classes from './edit.module.css';

interface RenameInPlaceProps {
  readonly name: string;
  /** The action of the button, including the name. */
  readonly label: string;
  readonly onRename: (name: string) => void;
}

export function RenameInPlace({ name, label, onRename }: RenameInPlaceProps) {
  const [isWriting, setWriting] = useState(false);
  const [text, setText] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const wasWriting = useRef(false);
  useEffect(() => {
    if (isWriting) input.current?.select();
    // Returns the focus to the button, not to the top of the page.
    else if (wasWriting.current && document.activeElement === document.body) button.current?.focus();
    wasWriting.current = isWriting;
  }, [isWriting]);
  if (!isWriting) {
    return (
      <button
        ref={button}
        type="button"
        className={classes.rename}
        aria-label={label}
        title={name}
        onClick={() => {
          setText(name);
          setWriting(true);
        }}
      >
        <span>{name}</span>
        <Pencil aria-hidden />
      </button>
    );
  }
  const keep = () => {
    setWriting(false);
    const next = text.trim();
    if (next && next !== name) onRename(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Otherwise the newly focused button would handle the same key.
    event.preventDefault();
    if (event.key === 'Enter') keep();
    else setWriting(false);
  };
  return (
    <input
      ref={input}
      className={classes.nameField}
      aria-label={label}
      value={text}
      maxLength={MAX_NAME_LENGTH}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={keep}
    />
  );
}
