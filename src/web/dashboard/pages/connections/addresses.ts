/** The addresses that other programs are given: those of the relay as this page reaches it. */

export const relayAddress = (): string => location.origin;

export const mcpAddress = (): string => `${location.origin}/mcp`;
