/**
 * Makes an authority and the certificates that it signs: ECDSA with P-256, as RFC 5280 wants them and Apple accepts
 * them. Loaded when a certificate is due.
 */
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  type Extension,
  Extensions,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  NameConstraints,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import type {
  AuthorityRequest,
  CertificateMaker,
  CertifiedKey,
  Permitted,
  ServerRequest,
} from '../../home/certificates.ts';
import { bufferOf, ECDSA_WITH_SHA256, extension } from './asn1-parts.ts';

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
/** RFC 5280 §4.1.2.2: at most 20 bytes. */
const SERIAL_BYTES = 16;
/** Without a dot: OpenSSL takes others for a host name where no alternative name is one. */
const SERVER_NAME = 'hearthd';
/** X.520: the upper bound of a common name. */
const MAX_COMMON_NAME = 64;

export const certificateMaker: CertificateMaker = {
  makeAuthority({ commonName, permitted, notBefore, notAfter }: AuthorityRequest): CertifiedKey {
    const { privateKey, publicKey } = newKey();
    const name = nameOf(commonName);
    const certificate = certify({
      ...{ subject: name, issuer: name, publicKey, notBefore, notAfter },
      signingKey: privateKey,
      extensions: [
        extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
        extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true),
        extension(id_ce_nameConstraints, constraintsOf(permitted), true),
        extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdOf(publicKey))),
      ],
    });
    return { key: pemOf(privateKey), certificate };
  },

  makeServer(authority: CertifiedKey, { names, notBefore, notAfter }: ServerRequest): CertifiedKey {
    const { privateKey, publicKey } = newKey();
    const issuer = AsnConvert.parse(new X509Certificate(authority.certificate).raw, Certificate).tbsCertificate;
    const signingKey = createPrivateKey(authority.key);
    const certificate = certify({
      ...{ subject: nameOf(SERVER_NAME), issuer: issuer.subject, publicKey, signingKey, notBefore, notAfter },
      extensions: [
        extension(id_ce_basicConstraints, new BasicConstraints(), true),
        extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
        extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
        extension(id_ce_subjectAltName, new SubjectAlternativeName(names.map(generalNameOf))),
        extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdOf(publicKey))),
        extension(
          id_ce_authorityKeyIdentifier,
          new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyIdOfInfo(issuer)) }),
        ),
      ],
    });
    return { key: pemOf(privateKey), certificate: `${certificate}${authority.certificate}` };
  },
};

interface Certified {
  readonly subject: Name;
  readonly issuer: Name;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly extensions: readonly Extension[];
}

/** @returns PEM */
function certify({ subject, issuer, publicKey, signingKey, notBefore, notAfter, extensions }: Certified): string {
  const signature = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: newSerial(),
    signature,
    issuer,
    validity: new Validity({ notBefore: wholeSeconds(notBefore), notAfter: wholeSeconds(notAfter) }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(spkiOf(publicKey), SubjectPublicKeyInfo),
    extensions: new Extensions([...extensions]),
  });
  const bytes = Buffer.from(AsnConvert.serialize(tbsCertificate));
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: signature,
    signatureValue: bufferOf(sign('sha256', bytes, signingKey)),
  });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString();
}

function newKey(): { privateKey: KeyObject; publicKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** A positive number whose first byte is not 0, as DER wants the shortest form. */
function newSerial(): ArrayBuffer {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bufferOf(bytes);
}

function nameOf(commonName: string): Name {
  const part = (type: string, text: string): RelativeDistinguishedName =>
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String: text.slice(0, MAX_COMMON_NAME) }) }),
    ]);
  return new Name([part(ORGANIZATION, 'hearthd'), part(COMMON_NAME, commonName)]);
}

function constraintsOf({ domains, networks }: Permitted): NameConstraints {
  const bases = [
    ...domains.map((dNSName) => new GeneralName({ dNSName })),
    ...networks.map((iPAddress) => new GeneralName({ iPAddress })),
  ];
  return new NameConstraints({
    permittedSubtrees: new GeneralSubtrees(bases.map((base) => new GeneralSubtree({ base }))),
  });
}

function generalNameOf(name: string): GeneralName {
  return new GeneralName(isIP(name) === 0 ? { dNSName: name } : { iPAddress: name });
}

/** RFC 5280 §4.2.1.2, method 1. */
function keyIdOf(publicKey: KeyObject): ArrayBuffer {
  return keyIdOfInfo({ subjectPublicKeyInfo: AsnConvert.parse(spkiOf(publicKey), SubjectPublicKeyInfo) });
}

function keyIdOfInfo({ subjectPublicKeyInfo }: Pick<TBSCertificate, 'subjectPublicKeyInfo'>): ArrayBuffer {
  return bufferOf(createHash('sha1').update(Buffer.from(subjectPublicKeyInfo.subjectPublicKey)).digest());
}

const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
/** UTCTime has no fractions. */
const wholeSeconds = (ms: number): Date => new Date(Math.floor(ms / 1_000) * 1_000);
