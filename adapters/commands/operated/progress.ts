const toldEveryMs = 2000

/** What tells on standard error how far long work is, every two seconds at most. */
export function progress(): (line: string) => void {
  let toldAt = performance.now()
  return (line) => {
    if (performance.now() - toldAt < toldEveryMs) return
    toldAt = performance.now()
    process.stderr.write(`${line}\n`)
  }
}
