import type { SimulationReport } from '../../app/automations/simulation/simulation.ts';
import type { FlowSimulation } from '../../contract/simulations.ts';
import { presentTime } from './time.ts';
import { presentTrace } from './trace.ts';

/** The report of a dry run. Times are ISO 8601. */
export function presentSimulation(report: SimulationReport): FlowSimulation {
  const { automationId, automationName, stopped } = report;
  return {
    automationId,
    automationName,
    startedAt: presentTime(report.startedAt),
    endedAt: presentTime(report.endedAt),
    stopped,
    runs: report.runs.map(presentTrace),
    writes: report.writes.map(timed),
    notifications: report.notifications.map(timed),
    requests: report.requests.map(timed),
    events: report.events.map(timed),
    commands: report.commands.map(timed),
    blocked: report.blocked.map(timed),
    nextFireDates: report.nextFireDates.map((at) => presentTime(at)),
  };
}

function timed<T extends { readonly at: number }>(entry: T): Omit<T, 'at'> & { readonly at: string } {
  return { ...entry, at: presentTime(entry.at) };
}
