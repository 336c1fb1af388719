import { BuilderFailed } from '../../../build/buildkit/builder.ts';
import { ImageTooLarge } from '../../../build/buildkit/image-archive.ts';
import { InvalidImage } from '../../../build/buildkit/image-layout.ts';
import { EngineFailure, type Reason } from '../../failure.ts';
import { DockerError } from '../docker-error.ts';

/** An error of another process. The class of an error is lost on the way. */
export type ProcessError =
  | { kind: 'image-too-large' }
  | { kind: 'invalid-image'; message: string }
  | { kind: 'builder-failed'; message: string }
  | { kind: 'docker'; status: number; message: string }
  | { kind: 'engine'; reason: Reason; evidence: string[] }
  | { kind: 'other'; message: string };

export function toProcessError(error: unknown): ProcessError {
  if (error instanceof ImageTooLarge) return { kind: 'image-too-large' };
  if (error instanceof InvalidImage) return { kind: 'invalid-image', message: error.message };
  if (error instanceof BuilderFailed) return { kind: 'builder-failed', message: error.message };
  if (error instanceof DockerError)
    return { kind: 'docker', status: error.status, message: error.message };
  if (error instanceof EngineFailure)
    return { kind: 'engine', reason: error.reason, evidence: error.evidence };
  return { kind: 'other', message: String(error) };
}

export function fromProcessError(error: ProcessError): Error {
  switch (error.kind) {
    case 'image-too-large':
      return new ImageTooLarge();
    case 'invalid-image':
      return new InvalidImage(error.message);
    case 'builder-failed':
      return new BuilderFailed(error.message);
    case 'docker':
      return new DockerError(error.status, error.message);
    case 'engine':
      return new EngineFailure(error.reason, error.evidence);
    case 'other':
      return new Error(error.message);
  }
}
