import { buildEdge } from '../../../scripts/steps/build-programs.mjs';

/** Builds the programs before tests that start them. */
export async function setup(): Promise<void> {
  await buildEdge();
}
