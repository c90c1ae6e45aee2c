import { Link } from 'wouter';

interface MaybeLinkProps {
  /** `undefined`: words alone. */
  readonly href: string | undefined;
  readonly className: string | undefined;
  readonly children: string;
}

/** A name in the activity, which leads to the page of its thing. */
export function MaybeLink({ href, className = '', children }: MaybeLinkProps) {
  return href === undefined ? (
    <bdi className={className}>{children}</bdi>
  ) : (
    <Link href={href} className={className}>
      {children}
    </Link>
  );
}
