import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { EdgeCertificate } from '@longshore/edge-contract';

const ECDSA_WITH_SHA256 = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const SUBJECT_ALTERNATIVE_NAME = '0603551d11';
const BASIC_CONSTRAINTS = '0603551d13';
const DAY_MS = 86_400_000;

export type Issuer = { name: string; key: KeyObject };
export type TestCertificate = EdgeCertificate & { issuer: Issuer };

/** A real certificate for the names, signed by the issuer, or by itself. Valid from yesterday for 30 days. */
export function createCertificate(names: string[], issuer?: Issuer): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [name = ''] = names;
  const signedBy = issuer ?? { name, key: privateKey };
  const content = sequence([
    explicit(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm(),
    commonName(signedBy.name),
    sequence([time(Date.now() - DAY_MS), time(Date.now() + 30 * DAY_MS)]),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(extensions(names, issuer === undefined))),
  ]);
  const signature = sign('sha256', content, signedBy.key);
  const certificate = sequence([content, algorithm(), element(0x03, [Buffer.alloc(1), signature])]);
  return {
    id: name,
    names,
    chain: pem(certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issuer: { name, key: privateKey },
  };
}

function extensions(names: string[], isSelfSigned: boolean): Buffer[] {
  const altNames = sequence(names.map((name) => element(0x82, [Buffer.from(name)])));
  const list = [sequence([hex(SUBJECT_ALTERNATIVE_NAME), element(0x04, [altNames])])];
  const isAuthority = sequence([element(0x01, [Buffer.from([0xff])])]);
  if (isSelfSigned) list.push(sequence([hex(BASIC_CONSTRAINTS), element(0x04, [isAuthority])]));
  return list;
}

function commonName(name: string): Buffer {
  const value = element(0x0c, [Buffer.from(name)]);
  return sequence([element(0x31, [sequence([hex(COMMON_NAME), value])])]);
}

function algorithm(): Buffer {
  return sequence([hex(ECDSA_WITH_SHA256)]);
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return element(0x17, [Buffer.from(`${digits}Z`)]);
}

function integer(bytes: Buffer): Buffer {
  return element(0x02, [bytes]);
}

function sequence(parts: Buffer[]): Buffer {
  return element(0x30, parts);
}

function explicit(tag: number, part: Buffer): Buffer {
  return element(0xa0 + tag, [part]);
}

/** An element of DER: tag, length, content. */
function element(tag: number, parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const lengthBytes =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, Math.floor(length / 0x100), length % 0x100];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
