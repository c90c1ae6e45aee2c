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
  it('tells what requests would authenticate with to those alone who may change automations', async () => {
    home = createAutomationHome({ sample: true });
    const script = home.saveFlow({ name: 'Script', actions: [REQUEST] });
    const { id: automationId } = home.saveFlow({
      name: 'Caller',
      actions: [REQUEST, { type: 'call_script', scriptId: script.id }],
    });
    const told = async (caller: typeof systemCaller, others: boolean) =>
      JSON.stringify(await home.simulations.simulate(caller, { automationId, scenario: { trigger: {}, others } }));
    const viewer = tokenCaller({ [home.home.id]: 'view' });
    for (const others of [true, false]) {
      expect(await told(viewer, others)).toContain('192.168.1.9/on');
      expect(await told(viewer, others)).not.toMatch(/ada:pass|querykey|headerkey/);
      expect(await told(systemCaller, others)).toMatch(/headerkey/);
    }
  });
});
