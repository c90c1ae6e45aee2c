/**
 * Finer than a code: where one code has several causes, and people can do something else about each, the cause as a closed union of
 * words. Clients tell it in their people's language; the error's own sentence says the same in English.
 */

/** Why a device could not be paired. */
export const PAIRING_REASONS = [
  /** The device says that the setup code is wrong. */
  'wrong_code',
  /** The device wants a pause before the next try. */
  'back_off',
  /** The device pairs with somebody else at this moment. */
  'busy',
  /** The device has no room for another controller. */
  'max_peers',
  /** The device has seen too many wrong codes, and takes none before it is restarted. */
  'max_tries',
  /** The device is paired with another controller. */
  'paired_elsewhere',
  /** It is paired here already. */
  'paired_here',
  /** The device refuses without saying why, or in words that are none of HAP's. */
  'refused',
  /** Another device than the one asked for answered. */
  'wrong_device',
  /** What answered does not know the setup code itself. */
  'impostor',
  /** The device does not answer, or stopped answering. */
  'unreachable',
  /** It stopped half-way: the device may hold a pairing that nobody can use. */
  'half_made',
  /** The keys can't be saved. */
  'not_saved',
  /** No such device has been seen on the network. */
  'not_seen',
  /** Five wrong codes within an hour: the relay tries no more, so that the device does not lock itself. */
  'too_many_wrong_codes',
  /** What was given is no setup code: not eight digits. */
  'malformed_code',
  /** One of the twelve codes that no device may have. */
  'trivial_code',
  /** A code of Matter's. */
  'matter_code',
  /** A setup payload that is damaged or cut short. */
  'damaged_payload',
] as const;
export type PairingReason = (typeof PAIRING_REASONS)[number];

/** Why a run of an automation, or a step of it, did not end well. */
export const RUN_REASONS = [
  'triggered_again',
  /** Somebody cancelled it. */
  'cancelled',
  'automation_deleted',
  /** The daemon was stopped while it ran. */
  'relay_stopped',
  'took_too_long',
  'too_many_steps',
  'too_much_data',
  /** A step that a restart interrupted, and that must not be done a second time. */
  'interrupted',
  /** Some of the accessories, or all, did not do what they were told. */
  'not_all_done',
  /** An expression can't be evaluated. */
  'expression',
  /** An expression came to something that does not fit where it stands. */
  'wrong_result',
  'empty_message',
  'script_off',
  'script_stopped',
  /** Automations that set each other off without end, or too deeply. */
  'loop',
  'depth',
  /** A server that was asked answered with an error, not at all, or may not be asked. */
  'web_refused',
  'web_timeout',
  'web_network',
  'web_forbidden',
] as const;

/** Why anything else was refused. */
export const REFUSAL_REASONS = [
  'home_paused',
  /** The same is being done at this moment, by somebody else. */
  'in_progress',
  'name_taken',
  'bad_name',
  'name_too_long',
  'bad_name_end',
  'limit_reached',
  'built_in',
  'of_an_automation',
  'nothing_to_keep',
  'last_home',
  'home_not_empty',
  'default_room',
  'not_yet',
  'bad_time_zone',
  'already_member',
  'no_home_yet',
  'last_owner',
  'founder_stays',
  'founder_only',
  'address_taken',
  'account_taken',
  'nobody_signs_in',
  'bad_address',
  'password_length',
  'wrong_password',
  'shared_already',
  'password_again',
  'own_port',
  'broker_twice',
  'set_elsewhere',
  'needs_restart',
  'bad_setting',
  /** Something else that was given is worth nothing without this. */
  'needed_too',
  'tried_again_anyway',
  'test_once',
  'webhook_disabled',
  'queue_full',
  'backup_damaged',
  'backup_foreign',
  'backup_newer',
  'backup_password',
  /** Or the file was changed or cut: which of them can't be told. */
  'backup_wrong_password',
  'encrypted_already',
  'timer_state',
  'bad_host_port',
] as const;

export const ERROR_REASONS = [...PAIRING_REASONS, ...RUN_REASONS, ...REFUSAL_REASONS] as const;
export type ErrorReason = (typeof ERROR_REASONS)[number];
