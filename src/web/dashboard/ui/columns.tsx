/** What narrow pages have on wide screens: two columns. On all others, one thing stands below the other. */
import type { ReactNode } from 'react';
import classes from './columns.module.css';

interface ColumnsProps {
  readonly children: ReactNode;
  /** Read after the first. Without it the page keeps its one column. */
  readonly second: ReactNode;
}

/** Two columns, each with sections of its own: none moves to the other column when one of them grows. */
export function Columns({ children, second }: ColumnsProps) {
  if (!second) return children;
  return (
    <div className={classes.columns} data-columns>
      <div>{children}</div>
      <div>{second}</div>
    </div>
  );
}

/** Cards of one kind, two in a row; a single one has the whole width. */
export function CardRows({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes.rows} data-columns>
      {children}
    </div>
  );
}
