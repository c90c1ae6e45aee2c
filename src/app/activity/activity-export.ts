/** The activity log as CSV, newest first. Pages are read as the client takes them. */
import type { ActivityRecord } from '../../contract/activity.ts';
import { CSV_LINE_END, csvCell } from '../../kernel/csv.ts';
import { isoTime } from '../../kernel/iso-time.ts';

const COLUMNS =
  'timestamp,home_id,kind,subject_type,subject_id,subject_name,room_name,characteristic,value,actor_kind,actor_id,actor_name,run_id';

export async function* exportActivity(pages: AsyncIterable<readonly ActivityRecord[]>): AsyncGenerator<string> {
  yield COLUMNS + CSV_LINE_END;
  for await (const page of pages) yield page.map(lineOf).join('');
}

function lineOf({ at, homeId, kind, subject, roomName, characteristic, value, actor, runId }: ActivityRecord): string {
  const what = [homeId, kind, subject.type, subject.id, subject.name, roomName, characteristic, value];
  const fields = [...what, actor.kind, actor.id, actor.name, runId];
  return [isoTime(at), ...fields.map((field) => csvCell(field ?? ''))].join(',') + CSV_LINE_END;
}
