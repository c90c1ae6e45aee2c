/** The link above a page's title to the page that leads to it. */
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './back-link.module.css';

export function BackLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link href={href} className={classes.link ?? ''}>
      <ChevronLeft aria-hidden />
      {children}
    </Link>
  );
}
