/** The status of a device as text, why it does not answer, and the remedy. */
import type { Catalogues } from 'texts:types';
import type { Device } from './device-health.ts';

type HealthTexts = Catalogues['system']['devices'];

export type DeviceReason = Pick<Device, 'status' | 'statusDetail' | 'lastErrorReason'>;

/** Why the device is not connected, and the remedy; none while it is connected. */
export function reasonText(device: DeviceReason, t: HealthTexts): string | undefined {
  const { status, statusDetail } = device;
  if (statusDetail === null) return undefined;
  if (Object.hasOwn(t.advice, status)) return t.advice[status as keyof typeof t.advice];
  return (status === 'offline' ? troubleText(device, t) : undefined) ?? statusDetail;
}

/** The last error of its connection. */
export function troubleText({ lastErrorReason }: DeviceReason, { troubles }: HealthTexts): string | undefined {
  if (!lastErrorReason || !Object.hasOwn(troubles, lastErrorReason)) return undefined;
  return troubles[lastErrorReason as keyof typeof troubles];
}

export function statusText(status: string, t: HealthTexts): string {
  return Object.hasOwn(t.status, status) ? t.status[status as keyof typeof t.status] : status;
}
