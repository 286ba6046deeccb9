/**
 * A path of ours as a browser comes to it: the service may be reached below a path of its own.
 * @param path with its first slash
 */
export function pathBelow(publicUrl: string, path: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '') + path
}
