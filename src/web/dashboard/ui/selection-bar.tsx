/** What is selected and what can be done with all of it, at the end of the page and always in view. */
import { CloseButton } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from './selection-bar.module.css';

interface SelectionBarProps {
  /** "3 selected" */
  readonly label: string;
  readonly clearLabel: string;
  readonly children: ReactNode;
  readonly onClear: () => void;
}

export function SelectionBar({ label, clearLabel, children, onClear }: SelectionBarProps) {
  return (
    <section className={classes.bar} aria-label={label}>
      <strong role="status">{label}</strong>
      {children}
      <CloseButton size="lg" aria-label={clearLabel} onClick={onClear} />
    </section>
  );
}

/** Menus and dialogs close by themselves first. */
export function useEscape(run: () => void): void {
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !document.querySelector('[role="dialog"], [role="menu"]')) run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [run]);
}
