/** A step that cannot go on, for a reason worth one sentence. */
export class StepFailed extends Error {}

/** Runs a script's work; a foreseen failure is a sentence and exit code 1, never a stack. */
export async function runScript(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
