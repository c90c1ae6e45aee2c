/** A request for a certificate (PKCS #10), for a new key. Loaded when a certificate is due. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { Attributes, CertificationRequest, CertificationRequestInfo } from '@peculiar/asn1-csr';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  Attribute,
  Extensions,
  GeneralName,
  id_ce_subjectAltName,
  Name,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
} from '@peculiar/asn1-x509';
import { bufferOf, ECDSA_WITH_SHA256, extension } from './asn1-parts.ts';

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';

/** @returns the key as PEM, the request as DER */
export function makeCertificateRequest(names: readonly string[]): { readonly key: string; readonly der: Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const alternatives = new SubjectAlternativeName(names.map((dNSName) => new GeneralName({ dNSName })));
  const extensions = new Extensions([extension(id_ce_subjectAltName, alternatives)]);
  const info = new CertificationRequestInfo({
    // The names are in the extension; a common name is not needed any more.
    subject: new Name(),
    subjectPKInfo: AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
    attributes: new Attributes([
      new Attribute({ type: EXTENSION_REQUEST, values: [AsnConvert.serialize(extensions)] }),
    ]),
  });
  const bytes = Buffer.from(AsnConvert.serialize(info));
  const request = new CertificationRequest({
    certificationRequestInfo: info,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 }),
    signature: bufferOf(sign('sha256', bytes, privateKey)),
  });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key, der: Buffer.from(AsnConvert.serialize(request)) };
}
