/** `hearthd automation run|trace`: starts automations, and shows the results of their runs. */

import type { RunAnswer, Trace, TraceStep } from '../../contract/automation-runs.ts';
import { repeated } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT, type ExitCode, usageError } from '../exit-codes.ts';
import type { CommandOutput } from '../output.ts';
import { AUTOMATION_ARGUMENT, findAutomation } from './automation-list.ts';

/** The polling interval while waiting for a run. */
const LOOK_EVERY_MS = 250;

const BLOCKED: Readonly<Record<string, string>> = {
  disabled: 'it is disabled',
  rate_limit: 'it ran too often in the last minute',
  mode_single: 'it is already running',
  mode_queued: 'too many of its runs are queued',
  mode_parallel: 'too many of its runs are active',
};

export const runAutomation = defineCommand({
  name: 'run',
  description: 'run an automation now if its conditions are met',
  arguments: [AUTOMATION_ARGUMENT],
  options: [
    ['--variable <name=value>', 'variable for this run, as JSON or text (repeatable)', repeated],
    ['--wait', 'wait for the run to finish and show its trace'],
  ],
  async run({ api, output }, text, { variable, wait }) {
    const { id, name, zone } = await findAutomation(api, text);
    const body = variable ? { variables: parseVariables(variable) } : {};
    const run = await api.send<RunAnswer>('POST', `/rest/flows/${id}/run`, body);
    if (!run.success) throw blockedError(name, run.blockedReason ?? '');
    if (wait) return showEnd(await waitForEnd(api, run.runId, output.terminal.untilInterrupted()), zone, output);
    output.done(run, `Started ${name} (${run.runId}).`);
    return EXIT.ok;
  },
});

export const traceAutomation = defineCommand({
  name: 'trace',
  description: 'list the latest runs, or show one step by step',
  arguments: [AUTOMATION_ARGUMENT, ['[run]', 'run id (or its first characters), or "last"']],
  options: [['--limit <count>', 'number of runs, 1–100']],
  async run({ api, output }, text, which, { limit }) {
    const { id, name, zone } = await findAutomation(api, text);
    const path = `/rest/flows/${id}/traces`;
    if (which !== undefined) {
      const chosen = chooseRun(await api.get<Trace[]>(path, { limit: '100' }), which, name);
      // One run has more than a list of them: the automation as the run found it.
      const trace = await api.get<Trace>(`/rest/flows/traces/${chosen.id}`);
      return output.result(trace, () => showTrace(trace, zone, output));
    }
    output.list(
      await api.get<Trace[]>(path, { limit }),
      (trace) => ({
        When: output.when(trace.startedAt, zone),
        Result: trace.blockedReason === null ? trace.status : `refused: ${trace.blockedReason}`,
        Trigger: trace.steps[0]?.nodeSummary ?? trace.triggerData.type,
        Why: trace.error,
        Run: trace.id,
      }),
      `${name} has not run yet.`,
    );
  },
});

/** @throws `CliError` no run or several runs start with this id */
function chooseRun(traces: readonly Trace[], which: string, name: string): Trace {
  const wanted = which.toLowerCase();
  const matches = wanted === 'last' ? traces.slice(0, 1) : traces.filter(({ id }) => id.startsWith(wanted));
  const [match, ...others] = matches;
  if (match && others.length === 0) return match;
  if (match) throw usageError(`Several runs start with "${which}". Use more characters of the id.`);
  throw new CliError(EXIT.notFound, 'not_found', `${name} has no such run. To list its runs, omit the run id.`);
}

async function waitForEnd(api: ApiClient, runId: string, interrupted: AbortSignal): Promise<Trace> {
  for (;;) {
    const trace = await api.get<Trace>(`/rest/flows/traces/${runId}`);
    if (trace.status !== 'running' || interrupted.aborted) return trace;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function showEnd(trace: Trace, zone: string | null, output: CommandOutput): ExitCode {
  output.result(trace, () => showTrace(trace, zone, output));
  return ['success', 'stopped', 'running'].includes(trace.status) ? EXIT.ok : EXIT.failed;
}

/** @param zone of its home, as `Output.when` accepts it */
export function showTrace(trace: Trace, zone: string | null, output: CommandOutput): void {
  const { automationName, startedAt, finishedAt, status, blockedReason, error, steps } = trace;
  const end = finishedAt === null ? '' : `, ${durationText(Date.parse(finishedAt) - Date.parse(startedAt))}`;
  const outcome = blockedReason === null ? status : `refused: ${blockedReason}`;
  output.line(`${output.style('bold', automationName)} at ${output.when(startedAt, zone)}: ${outcome}${end}`);
  const depths = new Map<string, number>();
  for (const step of steps) {
    const depth = step.parentNodeId === null ? 0 : (depths.get(step.parentNodeId) ?? 0) + 1;
    if (step.nodeId !== null) depths.set(step.nodeId, depth);
    output.line(`${'  '.repeat(depth + 1)}${stepText(step, output)}`);
  }
  if (error !== null) output.line(`  ${output.style('red', error)}`);
  if (trace.automation?.isCurrent === false) output.line('  The automation was changed since this run.');
}

function stepText(step: TraceStep, output: CommandOutput): string {
  const facts = [
    step.branch,
    step.iteration === null ? null : `round ${step.iteration}`,
    step.attempt > 1 ? `try ${step.attempt}` : null,
    step.durationMs === null ? null : durationText(step.durationMs),
    step.error,
  ].filter((fact) => fact !== null);
  const rest = facts.length === 0 ? '' : output.style('dim', ` (${facts.join(', ')})`);
  return `${markOf(step, output)} ${step.nodeSummary}${rest}`;
}

function markOf({ result }: TraceStep, output: CommandOutput): string {
  if (result === 'passed' || result === 'executed') return output.style('green', '✓');
  if (result === 'running') return output.style('yellow', '…');
  if (result === 'skipped') return output.style('dim', '–');
  return output.style('red', '✗');
}

function durationText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function blockedError(name: string, reason: string): CliError {
  const exitCode = reason === 'rate_limit' ? EXIT.later : EXIT.refused;
  return new CliError(exitCode, reason, `${name} did not run: ${BLOCKED[reason] ?? reason}.`);
}

/** `level=80 name=Ada`: values in JSON, otherwise the text itself. */
function parseVariables(words: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at <= 0) throw usageError(`"${word}" is not in the form name=value.`);
      return [word.slice(0, at), parseValue(word.slice(at + 1))];
    }),
  );
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
