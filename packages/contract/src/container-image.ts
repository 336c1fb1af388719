/** [registry/]name[:tag][@digest], the name in lowercase. */
const IMAGE =
  /^(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::\d+)?\/)?[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*(?::\w[\w.-]*)?(?:@[a-z0-9]+:[a-f0-9]{32,})?$/;

export function containerImageProblem(image: string): string | undefined {
  if (image.trim() === '') return 'Container image is required';
  return IMAGE.test(image) ? undefined : 'Container image must look like name:tag';
}

/**
 * Registry host, with its port if there is one. As in Docker, the first path component is a host when it contains a dot, a
 * colon or an uppercase letter, or is localhost. Undefined for images of Docker Hub.
 */
export function registryOfImage(image: string): string | undefined {
  const [first = '', ...rest] = image.split('/');
  const isHost = /[.:A-Z]/.test(first) || first === 'localhost';
  return rest.length > 0 && isHost ? first.toLowerCase() : undefined;
}

/** Appends the tag unless the image already has a tag or digest. The port of a registry is not a tag. */
export function imageWithTag(image: string, tag: string): string {
  return tag === '' || hasTag(image) ? image : `${image}:${tag}`;
}

function hasTag(image: string): boolean {
  const lastPart = image.slice(image.lastIndexOf('/') + 1);
  return lastPart.includes(':') || image.includes('@');
}
