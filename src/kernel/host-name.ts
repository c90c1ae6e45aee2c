/** 253 characters in parts of 1 to 63 each (RFC 1035, section 2.3.4). */
const MAX_NAME_LENGTH = 253;
const HOST_NAME = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i;

export function isHostName(name: string): boolean {
  // The last part of a name is never a number: it would be read as an address.
  return name.length <= MAX_NAME_LENGTH && HOST_NAME.test(name) && !/(^|\.)\d+$/.test(name);
}
