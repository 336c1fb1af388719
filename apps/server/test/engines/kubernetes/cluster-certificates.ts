import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { API_PORT, type ClusterNetwork } from './cluster-plan.ts';

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'];

/** The certificates of a cluster, and the access of its administrator as `admin.conf`. */
export async function createCertificates(folder: string, network: ClusterNetwork): Promise<void> {
  const { address, services } = network;
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args);
  const certificate = (name: string, ...args: string[]) => {
    const files = ['-keyout', file(`${name}.key`), '-out', file(`${name}.crt`)];
    return openssl('req', '-x509', ...KEY, ...files, ...args);
  };
  const signed = ['-CA', file('ca.crt'), '-CAkey', file('ca.key')];
  const firstService = services.replace(/0\/24$/, '1');
  const names = `subjectAltName=DNS:kubernetes.default.svc,IP:${firstService},IP:${address}`;
  await certificate('ca', '-subj', '/CN=longshore-test-cluster');
  await certificate('apiserver', ...signed, '-subj', '/CN=kube-apiserver', '-addext', names);
  await certificate('admin', ...signed, '-subj', '/O=system:masters/CN=admin');
  await certificate('front-proxy', ...signed, '-subj', '/CN=front-proxy');
  await openssl('genrsa', '-out', file('tokens.key'), '2048');
  const access = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'cluster',
        cluster: {
          server: `https://${address}:${API_PORT}`,
          'certificate-authority': file('ca.crt'),
        },
      },
    ],
    users: [
      {
        name: 'admin',
        user: { 'client-certificate': file('admin.crt'), 'client-key': file('admin.key') },
      },
    ],
    contexts: [{ name: 'cluster', context: { cluster: 'cluster', user: 'admin' } }],
    'current-context': 'cluster',
  };
  // JSON is YAML.
  await writeFile(file('admin.conf'), JSON.stringify(access));
}
