/** Secrets of Standard Webhooks are base64 after this prefix; all others are the bytes of their text. */
const prefix = 'whsec_'

/** The key that a secret of Standard Webhooks stands for. */
export function standardKey(secret: string): string | Buffer {
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : secret
}

/** Whether a secret has bytes of its own: without any, as a bare prefix has none, anyone could sign with it. */
export function hasBytes(secret: string): boolean {
  return standardKey(secret).length > 0
}
