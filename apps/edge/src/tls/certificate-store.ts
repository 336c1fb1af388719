import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { EdgeCertificate, StateChange } from '@longshore/edge-contract';

/** An app with many visitors stays in the cache. Building a context takes about as long as a handshake. */
const CACHED_CONTEXTS = 500;

export type CertificateStoreDeps = {
  /** Of every context: versions, ciphers. */
  contextOptions: SecureContextOptions;
  onInvalidCertificate(certificate: EdgeCertificate, error: unknown): void;
};

export type CertificateStore = {
  /** Handshakes that begin after the call use the new certificates. */
  apply(change: Pick<StateChange, 'certificates' | 'removedCertificates'>): void;
  /** How many names have a certificate. */
  readonly size: number;
  /** The certificate of the name itself, otherwise the wildcard one level above it. The name is in lower case. */
  has(name: string): boolean;
  /** Undefined: there is no certificate for the name, or it is invalid. */
  context(name: string): SecureContext | undefined;
};

export function createCertificateStore(deps: CertificateStoreDeps): CertificateStore {
  const certificates = new Map<string, EdgeCertificate>();
  const byName = new Map<string, EdgeCertificate>();
  /** In the order of their last use. An invalid certificate has no context. */
  const contexts = new Map<EdgeCertificate, SecureContext | undefined>();

  function find(name: string): EdgeCertificate | undefined {
    return byName.get(name) ?? byName.get(wildcardOf(name));
  }

  function build(certificate: EdgeCertificate): SecureContext | undefined {
    try {
      const { chain, key } = certificate;
      return createSecureContext({ ...deps.contextOptions, cert: chain, key });
    } catch (error) {
      deps.onInvalidCertificate(certificate, error);
      return undefined;
    }
  }

  function remember(certificate: EdgeCertificate, context: SecureContext | undefined): void {
    contexts.delete(certificate);
    contexts.set(certificate, context);
    if (contexts.size <= CACHED_CONTEXTS) return;
    for (const oldest of contexts.keys()) {
      contexts.delete(oldest);
      return;
    }
  }

  return {
    apply({ certificates: changed = [], removedCertificates: removed = [] }) {
      if (changed.length + removed.length === 0) return;
      for (const id of [...removed, ...changed.map((certificate) => certificate.id)]) {
        const former = certificates.get(id);
        if (former !== undefined) contexts.delete(former);
        certificates.delete(id);
      }
      for (const certificate of changed) certificates.set(certificate.id, certificate);
      byName.clear();
      // Of two certificates with the same name, the one that came last is used.
      for (const certificate of certificates.values()) {
        for (const name of certificate.names) byName.set(name.toLowerCase(), certificate);
      }
    },
    get size() {
      return byName.size;
    },
    has: (name) => find(name) !== undefined,
    context(name) {
      const certificate = find(name);
      if (certificate === undefined) return undefined;
      const context = contexts.has(certificate) ? contexts.get(certificate) : build(certificate);
      remember(certificate, context);
      return context;
    },
  };
}

/** A wildcard stands for one label: `*.example.com` is for `a.example.com`, not for `a.b.example.com`. */
function wildcardOf(name: string): string {
  const dot = name.indexOf('.');
  return dot > 0 ? `*${name.slice(dot)}` : '';
}
