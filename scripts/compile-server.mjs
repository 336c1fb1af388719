import { enableCompileCache } from 'node:module';

const [, , folder] = process.argv;
enableCompileCache(folder);
await import('../apps/server/src/server.ts');
