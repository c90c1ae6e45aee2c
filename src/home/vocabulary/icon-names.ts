/**
 * The icons that users can choose for the tile of an accessory or a service group, by their names in Lucide. The
 * dashboard draws them; the others have their names only. Data, because the browser loads it too.
 */

// biome-ignore format: a list of many short words
export const ICON_NAMES = [
  'lightbulb', 'lamp', 'lamp-desk', 'lamp-floor', 'lamp-ceiling', 'lamp-wall-up', 'lamp-wall-down', 'spotlight',
  'flashlight', 'sun', 'sun-dim', 'sunrise', 'sunset', 'moon', 'sparkles', 'star', 'party-popper', 'flame',
  'flame-kindling', 'plug', 'plug-zap', 'unplug', 'power', 'toggle-left', 'zap', 'cable', 'battery',
  'battery-charging', 'solar-panel', 'utility-pole', 'ev-charger', 'fan', 'air-vent', 'wind', 'thermometer',
  'thermometer-sun', 'thermometer-snowflake', 'heater', 'snowflake', 'droplet', 'droplets', 'waves', 'waves-ladder',
  'bubbles', 'cloud', 'cloud-rain', 'cloud-sun', 'cloud-snow', 'umbrella', 'gauge', 'leaf', 'blinds',
  'panels-top-left', 'door-closed', 'door-open', 'door-closed-locked', 'door-stairwell', 'fence', 'warehouse',
  'square-parking', 'car', 'car-front', 'bike', 'motorbike', 'caravan', 'tractor', 'bus', 'train-front', 'plane',
  'sailboat', 'lock', 'lock-open', 'key-round', 'vault', 'shield', 'shield-check', 'siren', 'bell', 'bell-electric',
  'concierge-bell', 'cctv', 'camera', 'video', 'webcam', 'eye', 'scan-face', 'fingerprint-pattern', 'alarm-smoke',
  'fire-extinguisher', 'triangle-alert', 'footprints', 'person-standing', 'user', 'users', 'baby', 'tv', 'tv-minimal',
  'monitor', 'monitor-speaker', 'projector', 'speaker', 'radio', 'audio-lines', 'music', 'volume-2', 'headphones',
  'mic', 'guitar', 'piano', 'disc-3', 'film', 'clapperboard', 'gamepad-2', 'joystick', 'router', 'wifi', 'network',
  'antenna', 'satellite-dish', 'radio-tower', 'bluetooth', 'server', 'hard-drive', 'computer', 'laptop', 'tablet',
  'smartphone', 'phone', 'printer', 'printer-3d', 'cpu', 'usb', 'mouse', 'keyboard', 'watch', 'bot', 'robot-vacuum',
  'refrigerator', 'microwave', 'cooking-pot', 'chef-hat', 'utensils', 'coffee', 'cup-soda', 'glass-water', 'wine',
  'beer', 'cake-slice', 'pizza', 'egg', 'sandwich', 'beef', 'apple', 'washing-machine', 'shirt', 'towel-rack',
  'brush-cleaning', 'broom', 'trash-2', 'recycle', 'bath', 'shower-head', 'toilet', 'faucet', 'pipette', 'bed-double',
  'bed-single', 'sofa', 'armchair', 'rocking-chair', 'book-open', 'library-big', 'home', 'building-2', 'hotel', 'tent',
  'store', 'trees', 'tree-pine', 'tree-palm', 'flower-2', 'sprout', 'shovel', 'fish', 'dog', 'cat', 'bird',
  'paw-print', 'rabbit', 'turtle', 'bug', 'hammer', 'wrench', 'drill', 'palette', 'scissors', 'settings',
  'sliders-horizontal', 'clock', 'alarm-clock', 'timer', 'hourglass', 'calendar', 'map-pin', 'briefcase',
  'graduation-cap', 'dumbbell', 'heart', 'heart-pulse', 'pill', 'scale', 'gift', 'package', 'mailbox', 'mail',
  'shopping-cart', 'piggy-bank', 'trophy', 'rocket', 'ghost', 'toy-brick', 'dice-5', 'puzzle', 'glasses', 'globe',
  'mountain', 'tag', 'flag', 'hash', 'list-checks', 'activity', 'chart-line', 'arrow-up-down', 'log-in', 'log-out',
  'play', 'circle-dot',
] as const;

export type IconName = (typeof ICON_NAMES)[number];

const KNOWN: ReadonlySet<string> = new Set(ICON_NAMES);

export function isIconName(text: unknown): text is IconName {
  return typeof text === 'string' && KNOWN.has(text);
}
