/** A row of `storage.files`. */
export type StoredFile = {
  id: string;
  userId: string;
  bucketId: string;
  name: string;
  size: number;
  mimeType: string;
  sha256: string;
  metadata: unknown;
  key: string;
  createdAt: Date;
  updatedAt: Date;
};

/** Equal bytes have equal tags. */
export function etagOf({ sha256 }: Pick<StoredFile, 'sha256'>): string {
  return `"${sha256}"`;
}

/** The JSON of a file, as in Nhost's storage service. */
export function fileMetadata(file: StoredFile) {
  return {
    id: file.id,
    name: file.name,
    size: file.size,
    bucketId: file.bucketId,
    etag: etagOf(file),
    createdAt: file.createdAt.toISOString(),
    updatedAt: file.updatedAt.toISOString(),
    // Rows are inserted after all bytes are stored.
    isUploaded: true,
    mimeType: file.mimeType,
    uploadedByUserId: file.userId,
    ...(file.metadata === null ? {} : { metadata: file.metadata }),
  };
}
