/** The error of a form and its remedy; it takes the focus, so that users notice it. */
import { useEffect, useRef } from 'react';
import classes from './sign-in.module.css';

export function Problem({ text }: { readonly text: string | undefined }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (text !== undefined) notice.current?.focus();
  }, [text]);
  if (text === undefined) return null;
  return (
    <div ref={notice} className={classes.problem} role="alert" tabIndex={-1}>
      {text}
    </div>
  );
}
