export * from './contracts/engine-contract.ts';
export * from './fake-engine.ts';
