/**
 * Rows of people, links and tokens: an icon, a name with details, and actions. They use plain elements, except for
 * menus.
 */
import { Menu } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import classes from './entries.module.css';

export type Tone = 'neutral' | 'good' | 'bad' | 'note' | 'cool';

export function Entries({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

interface EntryProps {
  readonly icon: ReactNode;
  readonly tone?: 'good' | 'accent';
  /** Untrusted text of users or programs: shown as text, without effect on the elements around it. */
  readonly name: string;
  readonly badges?: ReactNode;
  readonly children?: ReactNode;
  /** Below the name on phones. */
  readonly actions?: ReactNode;
  /** Further actions, always at the end of the name's row. */
  readonly menu?: ReactNode;
}

export function Entry({ icon, tone, name, badges, children, actions, menu }: EntryProps) {
  return (
    <li className={classes.entry}>
      <span className={classes.icon} data-tone={tone} aria-hidden>
        {icon}
      </span>
      <div className={classes.body}>
        <p className={classes.title}>
          <bdi className={classes.name}>{name}</bdi>
          {badges}
        </p>
        {children && <div className={classes.detail}>{children}</div>}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
      {menu && <div className={classes.more}>{menu}</div>}
    </li>
  );
}

export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}

export interface MenuAct {
  readonly label: string;
  readonly isDangerous?: boolean;
  run(): void;
}

/** @param label names the row's subject, so that each menu on the page has a unique label. */
export function ActsMenu({ label, acts }: { readonly label: string; readonly acts: readonly MenuAct[] }) {
  const opener = useRef<HTMLButtonElement>(null);
  if (acts.length === 0) return null;
  const run = (act: MenuAct) => {
    // A dialog returns the focus to where it was: the item is gone by then.
    opener.current?.focus();
    act.run();
  };
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <button ref={opener} type="button" className={classes.menu} aria-label={label}>
          <Ellipsis aria-hidden size={20} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map((act) => (
          <Menu.Item
            key={act.label}
            onClick={() => run(act)}
            mih={44}
            {...(act.isDangerous && { c: 'var(--h-bad-ink)' })}
          >
            {act.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function Hint({ children }: { readonly children: ReactNode }) {
  return <p className={classes.hint}>{children}</p>;
}

/** Information to read before continuing. */
export function Note({ children }: { readonly children: ReactNode }) {
  return <div className={classes.note}>{children}</div>;
}

export function Steps({ children }: { readonly children: ReactNode }) {
  return <ol className={classes.steps}>{children}</ol>;
}
