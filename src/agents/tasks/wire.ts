/** The revision of a stored task's wire text. */
export function revisionInTask(text: string): number {
  // What we stored ourselves always has a revision; tasks are small, so they are simply parsed.
  return (JSON.parse(text) as { revision: number }).revision
}
