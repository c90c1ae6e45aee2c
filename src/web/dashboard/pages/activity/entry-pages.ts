/** Where an entry leads: to what it is about, and to who did it. An automation leads to the run. */
import { runPageOf } from '../automations/list/addresses.ts';
import type { ActivityItem } from './documents.ts';
import type { usePageOf } from './use-page-of.ts';

interface EntryPages {
  /** `undefined`: it exists no more, or has no page. */
  readonly subject: string | undefined;
  readonly actor: string | undefined;
}

export function pagesOfEntry(
  pageOf: ReturnType<typeof usePageOf>,
  { subject, actor, runId }: Pick<ActivityItem, 'subject' | 'actor' | 'runId'>,
): EntryPages {
  const runOr = (kind: string, page: string | undefined): string | undefined =>
    kind === 'automation' && page !== undefined && runId !== null ? runPageOf(page, runId) : page;
  return {
    subject: runOr(subject.type, pageOf(subject.type, subject)),
    actor: runOr(actor.kind, pageOf(actor.kind, actor)),
  };
}
