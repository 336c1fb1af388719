export * from './build-resource.ts';
export * from './build-user.ts';
export * from './eventually.ts';
export * from './fake-auth-backend.ts';
export * from './fake-tabs.ts';
export * from './memory-storage.ts';
export * from './simulated-clock.ts';
