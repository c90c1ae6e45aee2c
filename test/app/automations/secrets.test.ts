/** What automations keep secret, wherever they are shown. */
import { afterEach, describe, expect, it } from 'vitest';
import { type AutomationHome, createAutomationHome } from '../../support/automation-home.ts';
import { systemCaller, tokenCaller } from '../../support/test-home.ts';

let home: AutomationHome;
afterEach(() => home.stop());

const REQUEST = {
  id: 'request',
  type: 'fire_webhook',
  method: 'GET',
  url: 'http://ada:pass@192.168.1.9/on?key=querykey',
  headers: { 'x-key': 'headerkey' },
};

describe('a dry run', () => {
  it('shows credentials of requests only to callers who may change automations', async () => {
    home = createAutomationHome({ sample: true });
    const script = home.saveFlow({ name: 'Script', actions: [REQUEST] });
    const { id: automationId } = home.saveFlow({
      name: 'Caller',
      actions: [REQUEST, { type: 'call_script', scriptId: script.id }],
    });
    const reported = async (caller: typeof systemCaller, others: boolean) =>
      JSON.stringify(await home.simulations.simulate(caller, { automationId, scenario: { trigger: {}, others } }));
    const viewer = tokenCaller({ [home.home.id]: 'view' });
    for (const others of [true, false]) {
      expect(await reported(viewer, others)).toContain('192.168.1.9/on');
      expect(await reported(viewer, others)).not.toMatch(/ada:pass|querykey|headerkey/);
      expect(await reported(systemCaller, others)).toMatch(/headerkey/);
    }
  });
});

describe('a fault', () => {
  it.each([
    { ...REQUEST, headers: { 'x-key': 'headerkey {{ 1 / 0 }}' } },
    { ...REQUEST, url: 'http://192.168.1.9/on?key=querykey{{ 1 / 0 }}' },
    { ...REQUEST, headers: { 'x-key': '{{ ["headerkey"] }}' } },
  ])('in a template of a request is shown without what else it holds', async (request) => {
    home = createAutomationHome({ sample: true });
    const { id } = home.saveFlow({ actions: [request] });
    home.run(id);
    await home.settle();
    const [trace] = home.tracesOf(id);
    expect(trace?.status).toBe('error');
    expect(trace?.error).toMatch(/^(url|headers\.x-key): /);
    expect(JSON.stringify({ ...trace, steps: trace?.steps.map((step) => step.error) })).not.toMatch(
      /headerkey|querykey/,
    );
  });
});
