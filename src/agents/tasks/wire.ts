/** The revision of a stored task's wire text. */
export function revisionInTask(text: string): number {
  // Stored tasks always have a revision; they are small, so they are simply parsed.
  return (JSON.parse(text) as { revision: number }).revision
}
