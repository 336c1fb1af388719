/** Of builds that make images. */
export const IMAGE_BUILD_LIMITS = {
  fetchMs: 5 * 60_000,
  checkoutBytes: 1024 ** 3,
  checkoutFiles: 200_000,
  buildMs: 15 * 60_000,
  buildMemoryBytes: 2 * 1024 ** 3,
  buildCpus: 1,
  buildSteps: 4,
  builderDiskBytes: 20 * 1024 ** 3,
  builderIdleMs: 5 * 60_000,
  imageBytes: 8 * 1024 ** 3 - 1,
  imageFiles: 1_000_000,
};
