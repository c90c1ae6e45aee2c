/** What is selected and what can be done with all of it, at the end of the page and always in view. */
import selectingTexts from 'texts:selecting';
import { Button, type ButtonProps, CloseButton } from '@mantine/core';
import { ListChecks } from 'lucide-react';
import { type ComponentPropsWithRef, type ReactNode, useEffect } from 'react';
import { useTexts } from '../texts/texts.ts';
import classes from './selection-bar.module.css';

interface SelectionBarProps {
  readonly count: number;
  readonly isBusy?: boolean;
  /** Left out where there is no list. */
  readonly onSelectAll?: (() => void) | undefined;
  readonly children: ReactNode;
  readonly onClear: () => void;
}

export function SelectionBar({ count, isBusy = false, onSelectAll, children, onClear }: SelectionBarProps) {
  const t = useTexts(selectingTexts);
  const label = t.selected({ count });
  return (
    <section className={classes.bar} aria-label={label} data-selection-bar>
      <strong role="status">{label}</strong>
      {onSelectAll && (
        <SelectionAct icon={<ListChecks aria-hidden />} label={t.selectAll} disabled={isBusy} onClick={onSelectAll} />
      )}
      <div className={classes.acts}>{children}</div>
      <CloseButton size="lg" className={classes.clear ?? ''} aria-label={t.clear} onClick={onClear} />
    </section>
  );
}

interface SelectionActProps extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  readonly icon: ReactNode;
  /** Beside the icon on wide screens; on phones it is the icon's name. */
  readonly label: string;
}

/** A menu may have it as its target, with its class beside ours. */
export function SelectionAct({ icon, label, className, ...rest }: SelectionActProps) {
  return (
    <Button
      variant="default"
      leftSection={icon}
      className={`${classes.act} ${className ?? ''}`}
      aria-label={label}
      title={label}
      {...rest}
    >
      <span className={classes.word}>{label}</span>
    </Button>
  );
}

/** A field to choose from, which is an icon on phones too. */
export function SelectionChoice({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={classes.choice}>
      {icon}
      {children}
    </div>
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
