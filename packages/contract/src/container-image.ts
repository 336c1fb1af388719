/** An optional registry, a name of small letters, an optional tag, an optional digest. */
const IMAGE =
  /^(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::\d+)?\/)?[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*(?::\w[\w.-]*)?(?:@[a-z0-9]+:[a-f0-9]{32,})?$/;

/** Spec §5, Docker type. */
export function containerImageProblem(image: string): string | undefined {
  if (image.trim() === '') return 'Container image is required';
  return IMAGE.test(image) ? undefined : 'Container image must look like name:tag';
}

/** Spec §5, Container tag: appended only when the image names none. A registry's port is no tag. */
export function imageWithTag(image: string, tag: string): string {
  return tag === '' || hasTag(image) ? image : `${image}:${tag}`;
}

function hasTag(image: string): boolean {
  const lastPart = image.slice(image.lastIndexOf('/') + 1);
  return lastPart.includes(':') || image.includes('@');
}
