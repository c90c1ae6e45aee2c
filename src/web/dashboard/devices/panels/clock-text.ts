/** `4:05`, `1:00:00`. */
export function clockText(ms: number): string {
  const seconds = Math.max(Math.ceil(ms / 1000), 0);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = 0, ...rest] = parts;
  const texts = rest.map((part, index) => (index === 0 && hours === 0 ? String(part) : String(part).padStart(2, '0')));
  return [...(hours > 0 ? [String(hours)] : []), ...texts].join(':');
}
