/** An expected failure of a step; its message is all that the user sees. */
export class StepFailed extends Error {}

/** Runs a script. An expected failure prints its message without a stack trace and exits with code 1. */
export async function runScript(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
