/**
 * The causes of an error code that has several, as a closed union, if users can act differently on each. Clients
 * translate the cause; the error's message describes it in English.
 */

/** Why a device could not be paired. */
export const PAIRING_REASONS = [
  /** The device rejects the setup code. */
  'wrong_code',
  /** The device requires a pause before the next attempt. */
  'back_off',
  /** The device is pairing with another controller at the moment. */
  'busy',
  /** The device has reached its maximum number of controllers. */
  'max_peers',
  /** The device has received too many wrong codes, and accepts none before a restart. */
  'max_tries',
  /** The device is paired with another controller. */
  'paired_elsewhere',
  /** It is paired here already. */
  'paired_here',
  /** It publishes a home, of this relay or of another one: values would travel in circles. */
  'published',
  /** The device refuses without a reason, or with a reason that HAP does not define. */
  'refused',
  /** A different device responded. */
  'wrong_device',
  /** The responding device does not know the setup code itself. */
  'impostor',
  /** The device does not respond, or stopped responding. */
  'unreachable',
  /** It stopped halfway: the device may hold a pairing that no controller can use. */
  'half_made',
  /** The keys cannot be saved. */
  'not_saved',
  /** The device has not been seen on the network. */
  'not_seen',
  /** Five wrong codes within an hour: the relay makes no more attempts, so that the device does not lock itself. */
  'too_many_wrong_codes',
  /** The input is not a setup code: not eight digits. */
  'malformed_code',
  /** One of the twelve codes that HAP forbids. */
  'trivial_code',
  /** A Matter code. */
  'matter_code',
  /** A damaged or truncated setup payload. */
  'damaged_payload',
] as const;
export type PairingReason = (typeof PAIRING_REASONS)[number];

/** Why a run of an automation, or a step of it, failed. */
export const RUN_REASONS = [
  'triggered_again',
  /** A user cancelled it. */
  'cancelled',
  'automation_deleted',
  /** The daemon stopped while it ran. */
  'relay_stopped',
  'took_too_long',
  'too_many_steps',
  'too_much_data',
  /** A restart interrupted a step that must not run twice. */
  'interrupted',
  /** Some or all accessories did not execute their command. */
  'not_all_done',
  /** An expression cannot be evaluated. */
  'expression',
  /** The result of an expression has the wrong type for its place. */
  'wrong_result',
  'empty_message',
  'script_off',
  'script_stopped',
  /** Automations that trigger each other endlessly or too deeply. */
  'loop',
  'depth',
  /** A server returned an error or no response, or the request is not allowed. */
  'web_refused',
  'web_timeout',
  'web_network',
  'web_forbidden',
] as const;

/** The reasons of all other errors. */
export const REFUSAL_REASONS = [
  'home_paused',
  /** Another caller is executing the same operation. */
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
  /** The password is correct; the code of the second factor is missing. */
  'second_factor_required',
  /** Or it was used before. */
  'wrong_second_factor',
  /** The code is that of another time. */
  'clocks_differ',
  'second_factor_on',
  'second_factor_off',
  'second_factor_setup_over',
  'sign_in_over',
  /** The account needs a second step: a session sets it up first. */
  'second_step_first',
  /** The account needs a second step: its last one stays. */
  'second_step_needed',
  /** The account needs a second step, and has passkeys alone. */
  'passkey_required',
  'passkey_needs_name',
  'passkey_needs_https',
  'passkey_other_origin',
  'passkey_invalid',
  'passkey_challenge_over',
  'passkey_unknown',
  /** People would be locked out who have passkeys alone. */
  'passkeys_alone',
  /** The password was another account's. */
  'passkey_of_other',
  'passkey_exists',
  /** Its signature counter went back. */
  /** The setting leads to https, which is off. */
  'https_needed',
  /** Signed in long ago: what weakens an account's sign-in asks for a proof once more. */
  'proof_needed',
  'passkey_copied',
  'shared_already',
  'password_again',
  'own_port',
  'broker_twice',
  'set_elsewhere',
  'needs_restart',
  'bad_setting',
  /** Another given field requires this one. */
  'needed_too',
  'tried_again_anyway',
  'test_once',
  'webhook_disabled',
  'queue_full',
  'blueprint_input_missing',
  'blueprint_input_unfit',
  'blueprint_newer',
  'blueprint_not_json',
  'blueprint_too_large',
  'no_blueprint',
  'backup_damaged',
  'backup_foreign',
  'backup_altered',
  'backup_incomplete',
  'backup_newer',
  'backup_unreadable',
  'backup_password',
  /** Or the file was changed or truncated; the two cannot be distinguished. */
  'backup_wrong_password',
  'encrypted_already',
  'timer_state',
  'bad_host_port',
  'not_a_picture',
  'picture_incomplete',
  'picture_too_large',
  /** A button of the notification was pressed before. */
  'button_pressed',
  'button_expired',
  /** A native automation has become a flow. */
  'extended_meanwhile',
] as const;

export const ERROR_REASONS = [...PAIRING_REASONS, ...RUN_REASONS, ...REFUSAL_REASONS] as const;
export type ErrorReason = (typeof ERROR_REASONS)[number];
