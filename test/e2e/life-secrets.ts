/** The secrets that people use in the whole life of a relay in `security-secrets.test.ts`. */

/** What people type. Nothing else in a life looks like these; each has characters that encodings change. */
export const TYPED = {
  'Ann’s password': 'Kestrel+over/wet=meadows&7',
  'Bob’s password': 'Osprey "above" the <weir> 81',
  'a password from the command line': 'Harrier?low%moor#4471',
  'a password that is no longer': 'Merlin-on-the-fell-3390',
  'a wrong password': 'Goshawk;not*the(right)one',
  'a wrong setup code': 'WXYZ-2345',
  'a wrong invitation code': 'u5Zr8QmXw0LkV2tYbNc4Aa',
  'a passcode': 'sparrow+519/3',
  'a passcode from the command line': 'linnet=77&204',
  'a wrong passcode': 'magpie 40/611',
  'a wrong token': `hc_${'V7'.repeat(21)}Q`,
  'a wrong refresh token': 'Zq4'.repeat(14).concat('x'),
  'a wrong client secret': 'Yw9'.repeat(14).concat('k'),
  'a password in a URL': 'dunlin:in@a/url?6',
  'the password in mqtt_url': 'curlew@low/tide:442',
};

/** What the relay must send out again as it is. */
export const KEPT = {
  'a broker’s password': 'Whimbrel "on" the/sands=71',
  'a password that a broker refuses': 'godwit&plover<8850',
};
/** In the URL of a webhook, which its owner is shown. */
export const URL_KEY = 'turnstone+key/20394';
