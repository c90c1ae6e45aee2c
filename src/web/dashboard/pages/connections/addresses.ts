/** What other programs are given: the addresses of the relay as this page reaches it, and the header of a token. */

export const relayAddress = (): string => location.origin;

export const mcpAddress = (): string => `${location.origin}/mcp`;

/** How programs send an access token; the token itself is shown only once. */
export const TOKEN_HEADER = 'Authorization: Bearer hc_…';
