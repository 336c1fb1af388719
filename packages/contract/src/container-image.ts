/** An optional registry, a name of small letters, an optional tag, an optional digest. */
const IMAGE =
  /^(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::\d+)?\/)?[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*(?::\w[\w.-]*)?(?:@[a-z0-9]+:[a-f0-9]{32,})?$/;

/** Spec §5, Docker type. */
export function containerImageProblem(image: string): string | undefined {
  if (image.trim() === '') return 'Container image is required';
  return IMAGE.test(image) ? undefined : 'Container image must look like name:tag';
}

/**
 * The host, and perhaps port, that an image names, as Docker reads it: its first part is one when it has a dot, a port or
 * a capital letter, or is localhost. Undefined: it comes from Docker Hub.
 */
export function registryOfImage(image: string): string | undefined {
  const [first = '', ...rest] = image.split('/');
  const isHost = /[.:A-Z]/.test(first) || first === 'localhost';
  return rest.length > 0 && isHost ? first.toLowerCase() : undefined;
}

/** Spec §5, Container tag: appended only when the image names none. A registry's port is no tag. */
export function imageWithTag(image: string, tag: string): string {
  return tag === '' || hasTag(image) ? image : `${image}:${tag}`;
}

function hasTag(image: string): boolean {
  const lastPart = image.slice(image.lastIndexOf('/') + 1);
  return lastPart.includes(':') || image.includes('@');
}
