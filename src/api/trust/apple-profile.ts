/** A configuration profile of Apple's: it brings one certificate to an iPhone, iPad or Mac. */
import { sha256Hex } from '../../kernel/secrets.ts';

interface ProfileContent {
  readonly der: Buffer;
  /** The certificate's own name. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** The same authority gives the same ids, so that loading it again replaces it. */
export function appleProfile({ der, name, title, description }: ProfileContent): string {
  const hash = sha256Hex(der.toString('base64'));
  const entries = (values: Readonly<Record<string, string>>): string =>
    Object.entries(values)
      .map(([key, value]) => `<key>${key}</key><string>${escaped(value)}</string>`)
      .join('');
  const certificate = entries({
    PayloadType: 'com.apple.security.root',
    PayloadIdentifier: `hearthd.authority.${hash.slice(0, 16)}.certificate`,
    PayloadUUID: uuidOf(hash.slice(32)),
    PayloadDisplayName: name,
    PayloadCertificateFileName: 'hearthd.crt',
  });
  const profile = entries({
    PayloadType: 'Configuration',
    PayloadIdentifier: `hearthd.authority.${hash.slice(0, 16)}`,
    PayloadUUID: uuidOf(hash.slice(0, 32)),
    PayloadDisplayName: title,
    PayloadDescription: description,
    PayloadOrganization: 'hearthd',
  });
  const version = '<key>PayloadVersion</key><integer>1</integer>';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<plist version="1.0"><dict>${profile}${version}<key>PayloadContent</key><array><dict>${certificate}${version}`,
    `<key>PayloadContent</key><data>${der.toString('base64')}</data></dict></array></dict></plist>`,
    '',
  ].join('\n');
}

/** @param hex 32 digits */
function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
    .join('-')
    .toUpperCase();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
