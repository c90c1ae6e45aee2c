/** What the relay accepts at most, and forms too. */

/** Of names: user-perceived characters. */
export const MAX_NAME_LENGTH = 64;
export const MAX_WEBHOOK_NAME_LENGTH = 100;
/** Of homes, in metres: what a phone can resolve, and what still is a place. */
export const RADIUS_M = { from: 20, to: 50_000 };
export const DEFAULT_RADIUS_M = 100;

// — flows —

/** Names of actions. */
export const MAX_ALIAS_LENGTH = 200;
/** Runs at once, or waiting. */
export const MAX_RUNNING = 100;
export const DEFAULT_MAX_RUNNING = 10;
/** Iterations of a repeat (wire-facts §6.2). */
export const MAX_ROUNDS = 1_000;
/** A delay (wire-facts §6.2). */
export const MAX_DELAY_MS = 24 * 60 * 60_000;
export const MAX_RETRIES = 100;
/** The pause before a retry. */
export const MAX_RETRY_PAUSE_MS = 30_000;
/** Buttons of a notification. */
export const MAX_BUTTONS = 3;
export const MAX_BUTTON_LENGTH = 40;
/** A blueprint as a file; a flow has at most 256 KiB. */
export const MAX_BLUEPRINT_BYTES = 256 * 1024;
export const MAX_BLUEPRINT_DESCRIPTION = 1_000;
/** Dry runs. */
export const MAX_SIMULATED_MS = 31 * 24 * 60 * 60_000;

// — webhooks (wire-facts §5 item 5) —

export const WEBHOOK_RETRIES = { from: 0, to: 10 };
export const WEBHOOK_RATE = { from: 1, to: 1_000 };
export const WEBHOOK_TIMEOUT_MS = { from: 1_000, to: 120_000 };
export const WEBHOOK_DEFAULTS = { maxRetries: 3, rateLimitPerMinute: 60, timeoutMs: 30_000 };

// — history —

/** Of one request. */
export const MAX_SERIES = 6;
