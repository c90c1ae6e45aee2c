/** The name of the browser that shows this page. */
import { deviceName } from '../../../home/vocabulary/device-names.ts';
import { MAX_NAME_LENGTH } from '../../../home/vocabulary/limits.ts';

export function nameOfThisDevice(): string {
  return (deviceName(navigator.userAgent) ?? 'Browser').slice(0, MAX_NAME_LENGTH);
}
