/**
 * A home whose automations run, spoken to as a program outside speaks to it: flows are made, run and looked at over
 * REST. Time, devices and the servers that requests go to are the test's.
 */
import type { HttpAnswer, HttpRequest } from '../../src/home/http-sender.ts';
import { type AutomationHome, type AutomationHomeOptions, createAutomationHome } from '../support/automation-home.ts';
import { createRestClient, createTestApi, createToken, type RestAnswer } from '../support/rest-client.ts';

export const BERLIN = { latitude: 52.52, longitude: 13.405, radius: 100 };

/** Of the sample home: the device's id, and the iid of what it mainly is. */
const MAIN = {
  Lamp: ['10:00:00:00:00:01', '1', '9'],
  Thermostat: ['10:00:00:00:00:02', '1', '9'],
  'Front Door': ['10:00:00:00:00:03', '1', '9'],
  Motion: ['10:00:00:00:00:04', '1', '9'],
  Button: ['10:00:00:00:00:05', '1', '9'],
  Heater: ['10:00:00:00:00:06', '2', '9'],
  Kettle: ['10:00:00:00:00:06', '18168078900403521793', '9'],
} as const;
export type SampleName = keyof typeof MAIN;

export type AutomationClient = ReturnType<typeof openAutomationClient>;

export function openAutomationClient(options: AutomationHomeOptions = {}) {
  const requests: HttpRequest[] = [];
  const answers: (HttpAnswer | Error)[] = [];
  const http = {
    async send(request: HttpRequest): Promise<HttpAnswer> {
      requests.push(request);
      const answer = answers.shift() ?? { status: 204, statusText: 'No Content', headers: {}, body: '' };
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const home: AutomationHome = createAutomationHome({ sample: true, http, ...options });
  const rest = createRestClient(createTestApi(home), createToken(home));
  const homeId = home.home.id;
  const id = (name: string): string => home.named(name).id;
  let sent = 0;

  function expectOk(answer: RestAnswer) {
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
    return answer.body;
  }

  return {
    home,
    rest,
    homeId,
    id,
    /** What was sent, and what will be answered to what is sent next. */
    requests,
    answers,

    /** Sends a flow; what is left out is nothing. */
    send(flow: object, name?: string) {
      sent += 1;
      const body = { homeId, name: name ?? `Flow ${sent}`, triggers: [], actions: [], ...flow };
      return rest.post('/rest/flows', body);
    },
    /** The same, and what reads back. */
    async save(flow: object, name?: string) {
      return expectOk(await this.send(flow, name));
    },
    /** Saves a flow of these actions, asks for a run, and lets it come to where it waits. */
    async runOf(actions: readonly object[], rest: object = {}) {
      const { id: flowId } = await this.save({ actions, ...rest });
      return this.run(flowId);
    },
    async run(flowId: string, body: object = {}) {
      const answer = expectOk(await rest.post(`/rest/flows/${flowId}/run`, body));
      await home.settle();
      return { flowId, ...answer, trace: await this.trace(answer.runId) };
    },
    async traces(flowId: string) {
      return expectOk(await rest.get(`/rest/flows/${flowId}/traces`));
    },
    async trace(runId: string) {
      return expectOk(await rest.get(`/rest/flows/traces/${runId}`));
    },
    /** How often it was triggered and began, conditions held. */
    async runsOf(flowId: string): Promise<number> {
      const traces: { blockedReason: string | null; steps: { type: string; result: string }[] }[] =
        await this.traces(flowId);
      return traces.filter(
        ({ blockedReason, steps }) =>
          blockedReason === null && !steps.some(({ type, result }) => type === 'condition' && result === 'failed'),
      ).length;
    },

    /** What a device reports. `iid`: of its main value where left out. */
    async device(name: SampleName, value: boolean | number | null, iid: string = MAIN[name][2]): Promise<void> {
      home.driver.event(MAIN[name][0], MAIN[name][1], iid, value);
      await home.settle();
    },
    valueOf(name: SampleName, iid: string = MAIN[name][2]) {
      return home.state.characteristic({ accessoryId: id(name), iid })?.value;
    },
    async advance(ms: number): Promise<void> {
      await home.clock.advance(ms);
      await home.settle();
    },
    close: () => home.stop(),
  };
}

export function step(trace: { steps: readonly StepShown[] }, nodeId: string): StepShown {
  const found = trace.steps.find((one) => one.nodeId === nodeId);
  if (!found) throw new Error(`The trace has no step of ${nodeId}: ${JSON.stringify(trace)}`);
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
export type StepShown = Record<string, any>;
