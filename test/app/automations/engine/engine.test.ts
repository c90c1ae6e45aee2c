import { afterEach, describe, expect, it } from 'vitest';
import { type AutomationHome, createAutomationHome } from '../../../support/automation-home.ts';
import { systemCaller } from '../../../support/test-home.ts';

let home: AutomationHome;
afterEach(() => home.stop());

function start(options: Parameters<typeof createAutomationHome>[0] = {}): AutomationHome {
  home = createAutomationHome({ sample: true, ...options });
  return home;
}

const setLamp = (value: unknown, more: Record<string, unknown> = {}) => ({
  type: 'set_characteristic',
  accessoryId: home.named('Lamp').id,
  characteristicType: 'on',
  value,
  ...more,
});

describe('a run', () => {
  it('does its actions in order, and its trace says what each did', async () => {
    start();
    const flow = home.saveFlow({
      actions: [setLamp(true), { type: 'delay', duration: { seconds: 10 } }, setLamp(false)],
    });
    const { runId } = home.run(flow.id);
    await home.settle();
    expect(home.traces(flow.id)[0]).toMatchObject({ id: runId, status: 'running' });
    await home.clock.advance(11_000);
    await home.settle();
    const [trace] = home.traces(flow.id);
    expect(trace?.status).toBe('success');
    expect(trace?.steps.map(({ nodeType, result }) => [nodeType, result])).toEqual([
      ['manual', 'executed'],
      ['set_characteristic', 'executed'],
      ['delay', 'executed'],
      ['set_characteristic', 'executed'],
    ]);
    expect(
      home.control.getCharacteristic(systemCaller, { accessoryId: home.named('Lamp').id, characteristicType: 'on' })
        .value,
    ).toBe(false);
  });
});
