/**
 * A path of the service as browsers reach it: the service may be mounted below a path.
 * @param path with its first slash
 */
export function pathBelow(publicUrl: string, path: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '') + path
}
