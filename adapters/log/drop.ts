/**
 * Writes log lines, and never throws: lines that cannot be written, for example because the disk is
 * full, are dropped and counted, and the next successful line is preceded by their number.
 * @param write throws if the lines cannot be written
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
