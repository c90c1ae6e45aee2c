/** The parts of the settings: cards on wide screens; on phones rows of a list, which open their parts in place. */

import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { navigate, useLocationProperty } from 'wouter/use-browser-location';
import { Columns } from '../../ui/columns.tsx';
import pageClasses from '../../ui/page.module.css';
import { Section } from '../../ui/page.tsx';
import classes from './settings-section.module.css';

/** From here on the menu is beside the page. */
const WIDE = '(min-width: 900px)';

function useIsWide(): boolean {
  return useMediaQuery(WIDE, false, { getInitialValueInEffect: false });
}

interface SettingsColumnsProps {
  readonly children: ReactNode;
  readonly second: ReactNode;
}

/** All sections of a page; on phones, each column is one list. */
export function SettingsColumns({ children, second }: SettingsColumnsProps) {
  const list = useIsWide() ? classes.cards : `h-card ${classes.rows}`;
  return (
    <Columns second={second && <div className={list}>{second}</div>}>
      <div className={list}>{children}</div>
    </Columns>
  );
}

interface SettingsSectionProps {
  /** Its address within the page, which opens it. */
  readonly id: string;
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}

/** A folded section is only hidden: what is typed in it is kept, and its queries reach it. */
export function SettingsSection({ id, title, lead, children }: SettingsSectionProps) {
  const isWide = useIsWide();
  const isTarget = useLocationProperty(() => location.hash === `#${id}`);
  const [wasTarget, setWasTarget] = useState(false);
  /** `undefined`: it was not opened yet. */
  const [isOpen, setOpen] = useState<boolean>();
  const contentId = useId();
  const content = useRef<HTMLDivElement>(null);
  if (isTarget !== wasTarget) {
    setWasTarget(isTarget);
    if (isTarget) setOpen(true);
  }
  useNewErrors(content, isOpen === false && !isWide, setOpen);
  const toggle = () => {
    setOpen(!isOpen);
    // The next link to this part opens it again.
    if (isOpen && isTarget) navigate(location.pathname + location.search, { replace: true });
  };
  const row = (
    <button
      type="button"
      className={`h-plain h-press h-hover ${classes.row}`}
      aria-expanded={isOpen ?? false}
      aria-controls={contentId}
      onClick={toggle}
    >
      {title}
    </button>
  );
  return (
    <Section id={id} title={isWide ? title : row}>
      <div
        ref={content}
        id={contentId}
        hidden={!isWide && !isOpen}
        className={isWide ? classes.plain : classes.content}
      >
        {lead && <p className={pageClasses.lead}>{lead}</p>}
        {children}
      </div>
    </Section>
  );
}

const ERRORS = '[role="alert"], [aria-invalid="true"]';

/** A field is saved when it is left, also by folding its part. An error that comes afterwards opens the part again. */
function useNewErrors(
  content: RefObject<HTMLElement | null>,
  isFolded: boolean,
  setOpen: (isOpen: boolean) => void,
): void {
  useEffect(() => {
    const element = content.current;
    if (!isFolded || !element) return undefined;
    const count = () => element.querySelectorAll(ERRORS).length;
    const before = count();
    const observer = new MutationObserver(() => {
      if (count() > before) setOpen(true);
    });
    observer.observe(element, { subtree: true, childList: true, attributeFilter: ['aria-invalid'] });
    return () => observer.disconnect();
  }, [content, isFolded, setOpen]);
}
