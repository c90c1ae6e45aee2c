/** What leaves the browser of another controller's file. */
import { describe, expect, it } from 'vitest';
import { relevantPart } from '../../../src/web/dashboard/pages/pair/import/foreign-file.ts';

const PAIRING = { AccessoryPairingID: 'AA:BB:CC:DD:EE:FF', iOSDeviceLTSK: '1f' };

const homeAssistant = (...entries: readonly unknown[]) => JSON.stringify({ version: 1, data: { entries } });

describe('another controller’s file', () => {
  it('leaves the browser without what Home Assistant keeps for others', () => {
    const ours = { domain: 'homekit_controller', title: 'Lamp', data: PAIRING };
    const text = homeAssistant({ domain: 'bank', data: { password: 'hunter2' } }, ours, null);
    expect(relevantPart(text)).toEqual({ data: JSON.stringify({ data: { entries: [ours] } }) });
  });

  it('is reported at once when it has none, or is none', () => {
    expect(relevantPart(homeAssistant({ domain: 'sun' }))).toEqual({ problem: 'noPairings' });
    expect(relevantPart('AccessoryPairingID: AA:BB')).toEqual({ problem: 'notJson' });
  });

  it('of any other program is sent as it is', () => {
    const text = JSON.stringify({ lamp: PAIRING });
    expect(relevantPart(text)).toEqual({ data: text });
    expect(relevantPart(JSON.stringify([PAIRING]))).toEqual({ data: JSON.stringify([PAIRING]) });
  });
});
