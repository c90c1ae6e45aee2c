import type { DeviceReport } from '../../app/pairings/device-diagnostics.ts';
import type { DeviceDiagnostics } from '../../contract/device-diagnostics.ts';
import { presentTime } from './time.ts';

export function presentDiagnostics(report: DeviceReport): DeviceDiagnostics {
  const { connection, responses } = report;
  return {
    ...report,
    createdAt: presentTime(report.createdAt),
    connection: {
      ...connection,
      since: presentTime(connection.since),
      lastSeenAt: presentTime(connection.lastSeenAt),
      lastErrorAt: presentTime(connection.lastErrorAt),
    },
    events: report.events.map(withTime),
    responses: { ...responses, recent: responses.recent.map(withTime) },
    statuses: [...report.statuses],
    failures: report.failures.map(withTime),
  };
}

function withTime<T extends { readonly at: number }>(item: T): Omit<T, 'at'> & { readonly at: string } {
  return { ...item, at: presentTime(item.at) };
}
