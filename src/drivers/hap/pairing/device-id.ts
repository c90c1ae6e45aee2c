const DEVICE_ID = /^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$/i;

/** Whether a text is a HAP device id (`AA:BB:CC:DD:EE:FF`), not the `host:port` of an accessory not identified yet. */
export function isDeviceId(text: string): boolean {
  return DEVICE_ID.test(text);
}

/** The one spelling under which a device is known: device ids upper case (they are compared ignoring case), `host:port` lower. */
export function canonicalDeviceId(text: string): string {
  return isDeviceId(text) ? text.toUpperCase() : text.toLowerCase();
}
