const DEVICE_ID = /^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$/i;

/** Whether a text is a HAP device id (`AA:BB:CC:DD:EE:FF`), not the `host:port` of an unidentified accessory. */
export function isDeviceId(text: string): boolean {
  return DEVICE_ID.test(text);
}

/**
 * The canonical form of a device id or `host:port`: device ids in upper case (their comparison ignores case),
 * `host:port` in lower case.
 */
export function canonicalDeviceId(text: string): string {
  return isDeviceId(text) ? text.toUpperCase() : text.toLowerCase();
}
