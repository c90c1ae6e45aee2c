/** One kind of connection: what it is for, its state, and one button. */
import { Button } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import { Badge, type Tone } from '../../ui/entries.tsx';
import classes from './connections.module.css';

export interface CardState {
  readonly tone: Tone;
  readonly text: string;
}

interface ConnectionCardProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly lead: string;
  /** `undefined`: not known yet, or not for this user. */
  readonly state?: CardState | undefined;
  readonly action: { readonly href: string; readonly text: string };
  readonly children?: ReactNode;
}

export function ConnectionCard({ icon: Icon, title, lead, state, action, children }: ConnectionCardProps) {
  const id = useId();
  return (
    <li className={classes.card} aria-labelledby={id} data-long={children !== undefined || undefined}>
      <div className={classes.cardHead}>
        <span className={classes.cardIcon} aria-hidden>
          <Icon />
        </span>
        <div className={classes.cardName}>
          <h2 id={id} className={classes.cardTitle}>
            {title}
          </h2>
          {state && <Badge tone={state.tone}>{state.text}</Badge>}
        </div>
      </div>
      <p className={classes.cardLead}>{lead}</p>
      {children}
      <div className={classes.cardAction}>
        <Button component={Link} href={action.href} variant="default" aria-describedby={id}>
          {action.text}
        </Button>
      </div>
    </li>
  );
}
