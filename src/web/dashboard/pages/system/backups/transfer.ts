/** Uploads and downloads of backups. */
import { ApiError } from '../../../api/api-error.ts';
import { fetchRest } from '../../../api/client.ts';
import { sessionHolder } from '../../../api/session.ts';

/**
 * Uploads a file. It uses XMLHttpRequest, because fetch does not report progress.
 * @param onProgress receives the uploaded fraction, 0–1.
 * @returns the relay's name for the backup. @throws `ApiError`
 */
export function uploadBackup(file: Blob, onProgress: (share: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/rest/backups/upload');
    request.responseType = 'json';
    request.setRequestHeader('Authorization', `Bearer ${sessionHolder.get()?.token ?? ''}`);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new ApiError('offline', 'The relay does not answer.'));
    request.onload = () => {
      const { name, error, message, code } = (request.response ?? {}) as Record<string, string | undefined>;
      if (request.status === 200 && name !== undefined) resolve(name);
      else reject(new ApiError(code ?? `http_${request.status}`, message ?? error ?? '', { status: request.status }));
    };
    request.send(file);
  });
}

/**
 * Downloads a backup through the browser. @param password encrypts it; an empty one leaves it unencrypted @throws
 * `ApiError`
 */
export async function downloadBackup(name: string, password: string): Promise<void> {
  const response = await fetchRest(`/rest/backups/${encodeURIComponent(name)}/download`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(password === '' ? {} : { password }),
  });
  const content = await response.blob();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = fileNameOf(response.headers.get('Content-Disposition')) ?? name;
  link.click();
  // The browser needs time to read the URL.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function fileNameOf(disposition: string | null): string | undefined {
  return /filename="([\w.-]+)"/.exec(disposition ?? '')?.[1];
}
