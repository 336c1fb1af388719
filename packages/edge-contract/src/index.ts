export * from './check-messages.ts';
export * from './client-address.ts';
export * from './clock.ts';
export * from './launch.ts';
export * from './lines.ts';
export * from './messages.ts';
export * from './password-hash.ts';
export * from './proxy-headers.ts';
