/**
 * Writes lines of a log, and never throws: those that cannot be written, as where a disk is full, are
 * dropped and counted, and the next that can be is preceded by how many those were.
 * @param write throws where it does not go
 */
export function dropping(write: (lines: string) => void): (lines: string) => void {
  let dropped = 0
  return (lines) => {
    try {
      if (dropped > 0) write(toldOf(dropped))
      dropped = 0
      write(lines)
    } catch {
      dropped += lines.split('\n').length - 1
    }
  }
}

function toldOf(dropped: number): string {
  const message = 'lines of the log could not be written, and were dropped'
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), message, dropped })}\n`
}
