/** A file as its row tells it. */
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

/** The same bytes have the same tag, wherever they are. */
export function etagOf({ sha256 }: Pick<StoredFile, 'sha256'>): string {
  return `"${sha256}"`;
}

/** A file as the public clients read it. Wire protocol §6. */
export function fileMetadata(file: StoredFile) {
  return {
    id: file.id,
    name: file.name,
    size: file.size,
    bucketId: file.bucketId,
    etag: etagOf(file),
    createdAt: file.createdAt.toISOString(),
    updatedAt: file.updatedAt.toISOString(),
    // There is no row before every byte is there.
    isUploaded: true,
    mimeType: file.mimeType,
    uploadedByUserId: file.userId,
    ...(file.metadata === null ? {} : { metadata: file.metadata }),
  };
}
