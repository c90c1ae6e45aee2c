/**
 * Asks before somebody leaves with changes that are not saved: by a link of the dashboard here, by the browser itself when the tab goes.
 * The way back in the browser's history can't be asked about; the draft is kept in the tab, so nothing is lost there either.
 */
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { confirm, type Question } from '../../../ui/confirm.tsx';

export function useLeaveGuard(isChanged: boolean, question: Question): void {
  const [here, navigate] = useLocation();
  useEffect(() => {
    if (!isChanged) return undefined;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
      if (!(link instanceof HTMLAnchorElement) || !isPlain || link.target === '_blank' || link.download) return;
      const url = new URL(link.href, location.href);
      if (url.origin !== location.origin || url.pathname === here) return;
      event.preventDefault();
      event.stopPropagation();
      void confirm(question).then((agreed) => {
        if (agreed) navigate(url.pathname + url.search);
      });
    };
    window.addEventListener('beforeunload', onUnload);
    document.addEventListener('click', onClick, { capture: true });
    return () => {
      window.removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, { capture: true });
    };
  }, [isChanged, question, here, navigate]);
}
