import { enableCompileCache } from 'node:module';

/** What the server loads when it is first needed. */
const LATER = ['@simplewebauthn/server', 'oauth4webapi', 'nodemailer', 'qrcode'];

const [, , folder] = process.argv;
enableCompileCache(folder);
await import('../apps/server/src/server.ts');
for (const name of LATER) await import(name);
