/** HAP accessory categories (HAP specification, table 13-1; TXT record `ci`) with their common titles. */

export const CATEGORIES: Readonly<Record<number, string>> = {
  1: 'Other',
  2: 'Bridge',
  3: 'Fan',
  4: 'Garage Door Opener',
  5: 'Lightbulb',
  6: 'Door Lock',
  7: 'Outlet',
  8: 'Switch',
  9: 'Thermostat',
  10: 'Sensor',
  11: 'Security System',
  12: 'Door',
  13: 'Window',
  14: 'Window Covering',
  15: 'Programmable Switch',
  16: 'Range Extender',
  17: 'IP Camera',
  18: 'Video Doorbell',
  19: 'Air Purifier',
  20: 'Air Heater',
  21: 'Air Conditioner',
  22: 'Air Humidifier',
  23: 'Air Dehumidifier',
  24: 'Apple TV',
  25: 'HomePod',
  26: 'Speaker',
  27: 'AirPort',
  28: 'Sprinkler',
  29: 'Faucet',
  30: 'Shower Head',
  31: 'Television',
  32: 'Remote Control',
  33: 'Router',
  34: 'Audio Receiver',
  35: 'TV Set-Top Box',
  36: 'TV Streaming Stick',
};

/** `Other` for a number that HAP does not define. */
export function categoryTitle(category: number): string {
  return CATEGORIES[category] ?? 'Other';
}
