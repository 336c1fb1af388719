/** For tests of other workspaces. */
export { createIngress } from './proxy/ingress.ts';
