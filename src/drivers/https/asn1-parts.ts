import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { Extension } from '@peculiar/asn1-x509';

export const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

export function extension(extnID: string, value: object, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

export function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
