/** Unsaved changes, kept in this tab, so that a reload or a mistaken tap loses nothing. */
import { type FlowRecord, parseFlowText } from '../flow/flow-record.ts';

const PREFIX = 'hearthd.flow-draft.';

/** A draft, and the flow version that it is based on. */
export interface FlowDraft {
  readonly flow: FlowRecord;
  readonly version: number | undefined;
}

export function readDraft(key: string): FlowDraft | undefined {
  try {
    const kept = sessionStorage.getItem(PREFIX + key);
    if (kept === null) return undefined;
    const { flow, version } = JSON.parse(kept);
    return { flow: parseFlowText(JSON.stringify(flow)), version: typeof version === 'number' ? version : undefined };
  } catch {
    return undefined;
  }
}

export function keepDraft(key: string, draft: FlowDraft): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(draft));
  } catch {
    // Without storage the draft lasts while the page is open.
  }
}

export function dropDraft(key: string): void {
  try {
    sessionStorage.removeItem(PREFIX + key);
  } catch {
    // Without storage there is no draft to remove.
  }
}
