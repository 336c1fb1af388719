import { enableCompileCache } from 'node:module';

/** Packages that the server loads on first use. */
const LAZY_PACKAGES = ['@simplewebauthn/server', 'oauth4webapi', 'nodemailer', 'qrcode'];

const [, , folder] = process.argv;
enableCompileCache(folder);
await import('../apps/server/src/server.ts');
for (const name of LAZY_PACKAGES) await import(name);
