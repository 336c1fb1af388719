import { X509Certificate } from 'node:crypto';
import { MAX_PEM_LENGTH } from '@longshore/edge-contract';

/** A certificate, and those between it and its authority. */
export type CertificateChain = {
  certificate: X509Certificate;
  /** PEM, without anything else that was in the text. */
  chain: string;
};

const PEM = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Returns a problem as the end of a sentence. The edge would refuse a longer chain, and all changes that come with it. */
export function parseChain(text: string): CertificateChain | { problem: string } {
  const blocks = text.match(PEM) ?? [];
  const certificates = blocks.map(parseCertificate);
  const [certificate] = certificates;
  if (certificate === undefined) return { problem: 'contains no certificate in PEM format' };
  if (certificates.includes(undefined)) return { problem: 'contains an invalid certificate' };
  const chain = `${blocks.join('\n')}\n`;
  if (chain.length <= MAX_PEM_LENGTH) return { certificate, chain };
  return { problem: `contains more than ${MAX_PEM_LENGTH / 1_024} KiB of certificates` };
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
