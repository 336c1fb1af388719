import { describe, expect, it } from 'vitest';
import { connectNhost3, connectNhost4, NHOST_3, newEmail, PASSWORD } from '../../support/nhost.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

/** Upload, download, share and delete files with the public clients. */
const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });

describe.each(NHOST_3)('%s', (name) => {
  async function signUp() {
    const nhost = connectNhost3(name, longshore.url);
    await nhost.auth.signUp({ email: newEmail(), password: PASSWORD });
    return nhost;
  }

  it('uploads, downloads, shares and deletes a file', async () => {
    const nhost = await signUp();
    const uploaded = await nhost.storage.upload({
      // In Node this client needs values that the package form-data accepts.
      file: Buffer.from('hello from a public client') as unknown as File,
      name: 'hello.txt',
      bucketId: 'default',
    });
    expect(uploaded.error).toBeNull();
    const file = uploaded.fileMetadata as { id: string };
    expect(file).toMatchObject({ name: 'hello.txt', size: 26, isUploaded: true });

    const downloaded = await nhost.storage.download({ fileId: file.id, width: 100 });
    expect(await downloaded.file?.text()).toBe('hello from a public client');

    const { presignedUrl } = await nhost.storage.getPresignedUrl({ fileId: file.id });
    expect(presignedUrl?.expiration).toBe(30);
    expect(await (await fetch(presignedUrl?.url ?? '')).text()).toBe('hello from a public client');

    expect(await nhost.storage.delete({ fileId: file.id })).toEqual({ error: null });
    const gone = await nhost.storage.download({ fileId: file.id });
    expect(gone.error?.message).toContain('file not found');
    await nhost.auth.signOut();
  });

  it('reports why an upload is refused', async () => {
    const nhost = await signUp();
    const { error } = await nhost.storage.upload({
      file: Buffer.from('x') as unknown as File,
      bucketId: 'nowhere',
    });
    expect(error).toMatchObject({ status: 404, message: 'bucket not found' });
    await nhost.auth.signOut();
  });
});

describe('nhost-js 4', () => {
  async function signUp() {
    const nhost = connectNhost4(longshore.url);
    await nhost.auth.signUpEmailPassword({ email: newEmail(), password: PASSWORD });
    return nhost;
  }

  it('uploads, downloads, replaces, shares and deletes files', async () => {
    const nhost = await signUp();
    const { body, status } = await nhost.storage.uploadFiles({
      'bucket-id': 'default',
      'metadata[]': [{ name: 'one.txt', metadata: { number: 1 } }, { name: 'two.txt' }],
      'file[]': [new File(['one'], 'a'), new File(['second'], 'b')],
    });
    expect(status).toBe(201);
    expect(body.processedFiles).toMatchObject([
      { name: 'one.txt', size: 3, metadata: { number: 1 } },
      { name: 'two.txt', size: 6 },
    ]);
    const id = body.processedFiles[0]?.id ?? '';
    expect(await (await nhost.storage.getFile(id)).body.text()).toBe('one');

    const head = await nhost.storage.getFileMetadataHeaders(id);
    expect(head.headers.get('etag')).toBe(body.processedFiles[0]?.etag);

    const replaced = await nhost.storage.replaceFile(id, { file: new File(['other'], 'c') });
    expect(replaced.body).toMatchObject({ id, name: 'one.txt', size: 5 });

    const link = await nhost.storage.getFilePresignedURL(id);
    expect(await (await fetch(link.body.url)).text()).toBe('other');

    expect((await nhost.storage.deleteFile(id)).status).toBe(204);
    await expect(nhost.storage.getFile(id)).rejects.toMatchObject({ status: 404 });
  });

  it('cannot access files of another user', async () => {
    const [ada, eve] = [await signUp(), await signUp()];
    const { body } = await ada.storage.uploadFiles({ 'file[]': [new File(['mine'], 'a')] });
    const id = body.processedFiles[0]?.id ?? '';
    await expect(eve.storage.getFile(id)).rejects.toMatchObject({ status: 404 });
    await expect(eve.storage.deleteFile(id)).rejects.toMatchObject({ status: 404 });
    await expect(eve.storage.getFilePresignedURL(id)).rejects.toMatchObject({ status: 404 });
    const signedOutClient = connectNhost4(longshore.url);
    await expect(signedOutClient.storage.getFile(id)).rejects.toMatchObject({ status: 403 });
    expect(await (await ada.storage.getFile(id)).body.text()).toBe('mine');
  });
});
