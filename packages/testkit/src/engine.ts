export * from './contracts/command-contract.ts';
export * from './contracts/engine-contract.ts';
export * from './contracts/running-app-contract.ts';
export * from './fake-engine.ts';
