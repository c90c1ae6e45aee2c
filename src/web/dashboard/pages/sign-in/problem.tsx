/** Why a form was not taken, and what to do; it takes the focus, so that nobody has to look for it. */
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
