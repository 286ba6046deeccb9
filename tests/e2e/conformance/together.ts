/** Plays several at once. @returns their results in the given order */
export async function inOrder<T>(
  plays: readonly (() => Promise<T>)[],
  atOnce: number,
): Promise<T[]> {
  const results: T[] = []
  const waiting = [...plays.entries()]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [position, play] = next
      results[position] = await play()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
