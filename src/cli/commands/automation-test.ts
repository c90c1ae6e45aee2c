import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import type { FlowSimulation } from '../../contract/simulations.ts';
import { HOME_OPTION, repeated } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { parseWord } from '../assignments.ts';
import { defineCommand, type Options } from '../define-command.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { type Inventory, loadInventory } from '../inventory.ts';
import type { CommandOutput } from '../output.ts';
import { readText } from '../read-file.ts';
import { toReading } from '../state-words.ts';
import { findAutomation } from './automation-list.ts';
import { showTrace } from './automation-run.ts';

/** A dry run takes some seconds at most. */
const TIMEOUT_MS = 30_000;

const UNITS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const DURATION = /^(\d+(?:\.\d+)?)([smhd])$/;
/** `07:30`, `07:30:15`, and ISO 8601. */
const MOMENT = /^(\d{1,2}:\d{2}(:\d{2})?|\d{4}-\d{2}-\d{2}T.+)$/;

const TEST_OPTIONS = [
  ['--at <time>', 'start of the dry run: 07:30 or an ISO time (default: now)'],
  ['--for <duration>', 'length: 90s, 5m, 2h, 1d (default: until nothing more happens, at most a day)'],
  [
    '--set <accessory.property=value@time...>',
    'a value change at 07:30, at an ISO time, or this long after the start (5m; repeatable)',
    repeated,
  ],
  ['--press <accessory@time...>', 'a button press (repeatable)', repeated],
  ['--trigger <id>', 'start with this trigger; "now" runs it by hand'],
  ['--scenario <file>', 'the whole scenario as JSON; other options override it'],
  ['--others', 'also simulate the other automations of the home'],
  HOME_OPTION,
] as const;

/** `hearthd automation test`: a dry run of an automation without effects. */
export const testAutomation = defineCommand({
  name: 'test',
  description: 'simulate an automation without changing any device',
  arguments: [['<automation>', 'name, "Home/Name" or id, or a file with a flow (YAML or JSON)']],
  options: TEST_OPTIONS,
  examples: [
    'hearthd automation test "Hall light" --set "Hall Sensor.motion=true@30s"',
    'hearthd automation test "Good morning" --at 06:59',
    'hearthd automation test hall.yaml --trigger now',
  ],
  async run({ api, output }, text, options) {
    const inventory = await loadInventory(api);
    const scenario = scenarioOf(options, inventory);
    const target = isFile(text) ? inventory.home(options.home) : await findAutomation(api, text);
    const report = await simulate(api, target.id, text, scenario);
    const zone = 'zone' in target ? target.zone : (target.timeZone ?? null);
    output.result(report, () => show(report, zone, output));
    return report.stopped === null ? EXIT.ok : EXIT.failed;
  },
});

/** @param id of the home if `text` is a file, otherwise of the automation */
async function simulate(api: ApiClient, id: string, text: string, scenario: object): Promise<FlowSimulation> {
  if (isFile(text)) {
    const body = { homeId: id, ...readFlow(text), scenario };
    return api.send<FlowSimulation>('POST', '/rest/flows/simulate', body, TIMEOUT_MS);
  }
  return api.send<FlowSimulation>('POST', `/rest/flows/${id}/simulate`, { scenario }, TIMEOUT_MS);
}

function isFile(text: string): boolean {
  return ['.yaml', '.yml', '.json'].includes(extname(text).toLowerCase()) || existsSync(text);
}

/** An exported flow contains the names of its references; any other JSON is the flow itself. */
function readFlow(file: string): { readonly document: string } | { readonly data: unknown } {
  const text = readText(file);
  const data = parseJson(text);
  return typeof data === 'object' && data !== null && !('hearthd' in data) ? { data } : { document: text };
}

function scenarioOf(options: Options<typeof TEST_OPTIONS>, inventory: Inventory): object {
  const base = options.scenario === undefined ? {} : readScenario(options.scenario);
  const accessory = (text: string): string => inventory.accessory(text).id;
  const events = [
    ...(base.events ?? []),
    ...(options.set ?? []).map((text) => parseSet(text, accessory)),
    ...(options.press ?? []).map((text) => parsePress(text, accessory)),
  ];
  return {
    ...base,
    ...(options.at !== undefined && { start: options.at }),
    ...(options.for !== undefined && { durationS: seconds(options.for, '--for') }),
    ...(options.trigger !== undefined && { trigger: options.trigger === 'now' ? {} : { triggerId: options.trigger } }),
    ...(options.others && { others: true }),
    ...(events.length > 0 && { events }),
  };
}

function readScenario(file: string): { readonly events?: readonly unknown[] } {
  const scenario = parseJson(readText(file));
  if (typeof scenario === 'object' && scenario !== null && !Array.isArray(scenario)) return scenario;
  throw usageError(`${file} is not a scenario. It must contain a JSON object.`);
}

/** `Hall Sensor.motion=true@30s`. Names may contain dots, and values any character. */
function parseSet(text: string, accessoryId: (text: string) => string): object {
  const { what, at } = splitTime(text);
  const equals = what.indexOf('=');
  const left = what.slice(0, equals);
  const dot = left.lastIndexOf('.');
  if (equals < 0 || dot < 1 || dot === left.length - 1) {
    throw usageError(
      `"${text}" is not in the form accessory.property=value@time, for example "Hall Sensor.motion=true@30s".`,
    );
  }
  const [characteristicType, value] = toReading(left.slice(dot + 1), parseWord(what.slice(equals + 1)));
  return { at, set: { accessoryId: accessoryId(left.slice(0, dot)), characteristicType, value } };
}

function parsePress(text: string, accessoryId: (text: string) => string): object {
  const { what, at } = splitTime(text);
  return { at, press: { accessoryId: accessoryId(what) } };
}

/** The part after the last @, if it is a time; otherwise the start. */
function splitTime(text: string): { readonly what: string; readonly at: string | number } {
  const sign = text.lastIndexOf('@');
  const time = text.slice(sign + 1).trim();
  if (sign < 0 || !(MOMENT.test(time) || DURATION.test(time))) return { what: text, at: 0 };
  return { what: text.slice(0, sign), at: MOMENT.test(time) ? time : seconds(time, text) };
}

function seconds(text: string, where: string): number {
  const [, amount, unit] = DURATION.exec(text.trim()) ?? [];
  if (amount !== undefined) return Number(amount) * UNITS[unit as keyof typeof UNITS];
  throw usageError(`"${text}" of ${where} is not a duration, for example 90s, 5m, 2h or 1d.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function show(report: FlowSimulation, zone: string | null, output: CommandOutput): void {
  const { startedAt, endedAt, stopped, runs, nextFireDates } = report;
  const when = (date: string): string => output.when(date, zone);
  for (const run of runs) showTrace(run, zone, output);
  if (runs.length === 0) output.line('Nothing would happen.');
  output.note(`From ${when(startedAt)} to ${when(endedAt)}. No device was changed.`);
  if (nextFireDates.length > 0) output.note(`Next scheduled: ${nextFireDates.map(when).join(', ')}`);
  if (stopped !== null) output.note(stopped);
}
