/** The buttons of a form, the last thing in it: they stay in sight while the form is longer than the screen. */
import type { ReactNode } from 'react';
import classes from './form-actions.module.css';

export function FormActions({ children }: { readonly children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
