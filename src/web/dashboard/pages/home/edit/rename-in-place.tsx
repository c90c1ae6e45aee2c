/** A name that becomes a field when it is chosen: enter keeps what was written, escape what was there. */
import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import classes from './edit.module.css';

interface RenameInPlaceProps {
  readonly name: string;
  /** What the button does, with the name in it. */
  readonly label: string;
  readonly onRename: (name: string) => void;
}

/** The relay takes no longer ones. */
const MOST_CHARACTERS = 64;

export function RenameInPlace({ name, label, onRename }: RenameInPlaceProps) {
  const [isWriting, setWriting] = useState(false);
  const [text, setText] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const wasWriting = useRef(false);
  useEffect(() => {
    if (isWriting) input.current?.select();
    // Back to where the person came from, not to the top of the page.
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
    // The button that gets the focus now would take the key for its own.
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
      maxLength={MOST_CHARACTERS}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={keep}
    />
  );
}
