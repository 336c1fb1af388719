const IMAGE = /^[a-z0-9][a-zA-Z0-9._/:@-]*$/;

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
