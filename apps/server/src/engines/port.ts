export * from './engine.ts';
export * from './failure.ts';
