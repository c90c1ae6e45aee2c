/** The paths of the automation pages. */
export const KINDS = ['native', 'flows'] as const;
/** `native`: the simple ones, of the API document; `flows`: the relay's own format. */
export type AutomationKind = (typeof KINDS)[number];

export const LIST_PAGE = '/automations';
export const NEW_PAGE = '/automations/new';

export function pageOf(kind: AutomationKind, id: string): string {
  return `${LIST_PAGE}/${kind}/${id}`;
}

export function editPageOf(kind: AutomationKind, id: string): string {
  return `${pageOf(kind, id)}/edit`;
}

/** @param step its path in the automation: `actions[2].then[0]` */
export function editStepPageOf(kind: AutomationKind, id: string, step: string): string {
  return `${editPageOf(kind, id)}?${new URLSearchParams({ step })}`;
}

export function runsPageOf(kind: AutomationKind, id: string, traceId?: string): string {
  const page = pageOf(kind, id);
  return traceId === undefined ? `${page}/runs` : runPageOf(page, traceId);
}

/** @param page of the automation */
export function runPageOf(page: string, traceId: string): string {
  return `${page}/runs/${traceId}`;
}

export function kindOf(text: string | undefined): AutomationKind {
  return KINDS.find((kind) => kind === text) ?? 'flows';
}
