/** Of the address that was asked for last: a server has one, and a page many paths. */
let last = { publicUrl: '', root: '' }

/**
 * A path of the service as browsers reach it: the service may be mounted below a path.
 * @param path with its first slash
 */
export function pathBelow(publicUrl: string, path: string): string {
  if (last.publicUrl !== publicUrl) {
    last = { publicUrl, root: new URL(publicUrl).pathname.replace(/\/$/, '') }
  }
  return last.root + path
}
